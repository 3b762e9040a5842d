// Where lines end. It does what src/lang/parse/layout.rs does: a line goes on inside brackets and after `,` `+` `-` `&`
// `and` `or`, unless the next line begins a statement; `{` as the last mark of a line opens a block.

#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

enum Token {
  NEWLINE,
  CONTINUED,
  BLOCK_OPEN,
  BLOCK_CLOSE,
  SET_OPEN,
  SET_CLOSE,
  PAREN_OPEN,
  CALL_OPEN,
  PAREN_CLOSE,
  BRACKET_OPEN,
  BRACKET_CLOSE,
  COMMA,
  PLUS,
  MINUS,
  AMPERSAND,
  AND,
  OR,
  NUMBER,
  LINE_START,
  PARAM_START,
  ERROR,
};

typedef struct {
  // Brackets that are open.
  uint8_t depth;
  // Whether the last mark of the line asks for more.
  bool hangs;
} State;

// Words that begin an item or a statement.
static const char *const BEGINNINGS[] = {
    "technique", "pattern", "strong", "example", "near_miss", "rules", "case", "let", "require", "chain", "eliminate",
    "place", "conclude", "called", "says", "because", "guardians", "uses", "join", "loop", "cluster", "ring", "suppose",
};

#define WORD 16

static inline void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c > 127; }

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == 0xFEFF; }

// LF, CR LF and CR end a line.
static bool is_end(int32_t c) { return c == '\n' || c == '\r'; }

static void skip_blanks(TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) advance(lexer);
}

static void skip_line(TSLexer *lexer) {
  while (!is_end(lexer->lookahead) && !lexer->eof(lexer)) advance(lexer);
}

// Behind the mark that was read: whether nothing but a comment follows on the line.
static bool ends_line(TSLexer *lexer) {
  skip_blanks(lexer);
  if (lexer->eof(lexer) || is_end(lexer->lookahead)) return true;
  if (lexer->lookahead != '/') return false;
  advance(lexer);
  return lexer->lookahead == '/';
}

// Reads a word, as much of it as is of interest.
static void read_word(TSLexer *lexer, char word[WORD]) {
  unsigned length = 0;
  while (is_letter(lexer->lookahead) || is_digit(lexer->lookahead)) {
    if (length < WORD - 1) word[length++] = lexer->lookahead < 128 ? (char)lexer->lookahead : '?';
    advance(lexer);
  }
  word[length] = 0;
}

// Whether a declaration begins behind its first word: `name:`, `a, b:`, `p[d]:`.
static bool is_binding(TSLexer *lexer) {
  char word[WORD];
  for (;;) {
    skip_blanks(lexer);
    if (lexer->lookahead == '[') {
      advance(lexer);
      skip_blanks(lexer);
      read_word(lexer, word);
      skip_blanks(lexer);
      if (lexer->lookahead != ']') return false;
      advance(lexer);
      skip_blanks(lexer);
    }
    if (lexer->lookahead == ':') {
      advance(lexer);
      return lexer->lookahead != '=';
    }
    if (lexer->lookahead != ',') return false;
    advance(lexer);
    skip_blanks(lexer);
    if (!is_letter(lexer->lookahead)) return false;
    read_word(lexer, word);
  }
}

// Behind a newline inside of a statement: whether what comes next begins another one, or nothing comes.
static bool begins_statement(TSLexer *lexer, bool header) {
  for (;;) {
    while (is_blank(lexer->lookahead) || is_end(lexer->lookahead)) advance(lexer);
    if (lexer->eof(lexer)) return true;
    if (lexer->lookahead != '/') break;
    advance(lexer);
    if (lexer->lookahead != '/') return false;
    advance(lexer);
    if (lexer->lookahead == '/') return true;
    skip_line(lexer);
  }
  if (lexer->lookahead == '}') {
    advance(lexer);
    return ends_line(lexer);
  }
  if (!is_letter(lexer->lookahead)) return false;
  char word[WORD];
  read_word(lexer, word);
  for (unsigned at = 0; at < sizeof(BEGINNINGS) / sizeof(*BEGINNINGS); at++) {
    if (strcmp(word, BEGINNINGS[at]) == 0) return true;
  }
  if (strcmp(word, "one") == 0) {
    skip_blanks(lexer);
    if (is_letter(lexer->lookahead)) {
      read_word(lexer, word);
      return strcmp(word, "step") == 0;
    }
  }
  return !header && is_binding(lexer);
}

static bool found(TSLexer *lexer, enum Token token) {
  lexer->result_symbol = token;
  return true;
}

static bool newline(State *state, TSLexer *lexer, const bool *valid) {
  if (lexer->eof(lexer)) {
    state->depth = 0;
    state->hangs = false;
    return valid[NEWLINE] && found(lexer, NEWLINE);
  }
  bool is_cr = lexer->lookahead == '\r';
  advance(lexer);
  if (is_cr && lexer->lookahead == '\n') advance(lexer);
  lexer->mark_end(lexer);
  bool within = state->depth > 0 || state->hangs;
  if (valid[LINE_START] && !valid[NEWLINE]) {
    // An empty line, or what is behind a comment.
    return found(lexer, CONTINUED);
  }
  if (!valid[ERROR] && within) {
    skip_blanks(lexer);
    bool more = is_end(lexer->lookahead) || lexer->lookahead == '/';
    if (!begins_statement(lexer, valid[PARAM_START])) {
      // Empty lines and comments between the two leave things as they are.
      state->hangs = state->hangs && more;
      return found(lexer, CONTINUED);
    }
  }
  state->depth = 0;
  state->hangs = false;
  return found(lexer, NEWLINE);
}

// A mark after which a line may go on.
static bool hanging(State *state, TSLexer *lexer, enum Token token) {
  lexer->mark_end(lexer);
  state->hangs = ends_line(lexer);
  return found(lexer, token);
}

static bool open(State *state, TSLexer *lexer, enum Token token) {
  advance(lexer);
  lexer->mark_end(lexer);
  if (state->depth < 255) state->depth++;
  return found(lexer, token);
}

static bool close(State *state, TSLexer *lexer, enum Token token) {
  advance(lexer);
  lexer->mark_end(lexer);
  if (state->depth > 0) state->depth--;
  return found(lexer, token);
}

static bool brace(State *state, TSLexer *lexer, const bool *valid) {
  if (!valid[BLOCK_OPEN] && !valid[SET_OPEN]) return false;
  advance(lexer);
  lexer->mark_end(lexer);
  if (valid[BLOCK_OPEN] && state->depth == 0 && ends_line(lexer)) return found(lexer, BLOCK_OPEN);
  if (!valid[SET_OPEN]) return false;
  if (state->depth < 255) state->depth++;
  return found(lexer, SET_OPEN);
}

static bool number(TSLexer *lexer) {
  while (is_digit(lexer->lookahead)) advance(lexer);
  lexer->mark_end(lexer);
  return !is_letter(lexer->lookahead) && found(lexer, NUMBER);
}

// `and`, `or`
static bool joiner(State *state, TSLexer *lexer, const bool *valid) {
  char word[WORD];
  read_word(lexer, word);
  if (valid[AND] && strcmp(word, "and") == 0) return hanging(state, lexer, AND);
  if (valid[OR] && strcmp(word, "or") == 0) return hanging(state, lexer, OR);
  return false;
}

static bool mark(State *state, TSLexer *lexer, const bool *valid, enum Token token) {
  if (!valid[token]) return false;
  advance(lexer);
  return hanging(state, lexer, token);
}

bool tree_sitter_pinion_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  State *state = payload;
  // The beginning of a line touches nothing.
  bool touches = lexer->get_column(lexer) > 0;
  while (is_blank(lexer->lookahead)) {
    lexer->advance(lexer, true);
    touches = false;
  }
  if (lexer->eof(lexer)) return newline(state, lexer, valid);
  switch (lexer->lookahead) {
    case '\n':
    case '\r':
      return newline(state, lexer, valid);
    case '{':
      return brace(state, lexer, valid);
    case '}':
      if (state->depth == 0) return valid[BLOCK_CLOSE] && close(state, lexer, BLOCK_CLOSE);
      return valid[SET_CLOSE] && close(state, lexer, SET_CLOSE);
    case '(':
      if (touches && valid[CALL_OPEN]) return open(state, lexer, CALL_OPEN);
      return valid[PAREN_OPEN] && open(state, lexer, PAREN_OPEN);
    case ')':
      return valid[PAREN_CLOSE] && close(state, lexer, PAREN_CLOSE);
    case '[':
      return touches && valid[BRACKET_OPEN] && open(state, lexer, BRACKET_OPEN);
    case ']':
      return valid[BRACKET_CLOSE] && close(state, lexer, BRACKET_CLOSE);
    case ',':
      return mark(state, lexer, valid, COMMA);
    case '+':
      return mark(state, lexer, valid, PLUS);
    case '-':
      return mark(state, lexer, valid, MINUS);
    case '&':
      return mark(state, lexer, valid, AMPERSAND);
    case 'a':
    case 'o':
      return joiner(state, lexer, valid);
    default:
      return valid[NUMBER] && is_digit(lexer->lookahead) && number(lexer);
  }
}

void *tree_sitter_pinion_external_scanner_create(void) { return calloc(1, sizeof(State)); }

void tree_sitter_pinion_external_scanner_destroy(void *payload) { free(payload); }

unsigned tree_sitter_pinion_external_scanner_serialize(void *payload, char *buffer) {
  State *state = payload;
  buffer[0] = (char)state->depth;
  buffer[1] = (char)state->hangs;
  return 2;
}

void tree_sitter_pinion_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  State *state = payload;
  state->depth = length > 0 ? (uint8_t)buffer[0] : 0;
  state->hangs = length > 1 && buffer[1];
}
