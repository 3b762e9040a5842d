// Finds the ends of lines, as src/lang/parse/layout.rs does. Inside brackets, and after `,` `+` `-` `&` `and` `or`, a line continues on
// the next line, unless the next line begins a statement. A `{` at the end of a line opens a block; any other `{` opens a set.
//
// In the array `valid`, tree-sitter marks the tokens that the grammar allows at the current position.

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
  // Number of open brackets.
  uint8_t depth;
  // True if the line ends with a token after which it continues, such as `+`.
  bool continues;
} State;

// Words that begin an item or a statement.
static const char *const BEGINNINGS[] = {
    "technique", "pattern", "strong", "example", "near_miss", "rules", "case", "let", "require", "chain", "eliminate",
    "place", "conclude", "called", "says", "because", "guardians", "uses", "join", "loop", "cluster", "ring", "suppose",
};

// Longer words are cut: no keyword that is compared has 16 characters.
#define WORD 16

static inline void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c > 127; }

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == 0xFEFF; }

// A line ends with LF, CR LF or CR.
static bool is_line_end(int32_t c) { return c == '\n' || c == '\r'; }

static void skip_blanks(TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) advance(lexer);
}

static void skip_line(TSLexer *lexer) {
  while (!is_line_end(lexer->lookahead) && !lexer->eof(lexer)) advance(lexer);
}

// Returns true if only blanks and a comment follow on the line.
static bool ends_line(TSLexer *lexer) {
  skip_blanks(lexer);
  if (lexer->eof(lexer) || is_line_end(lexer->lookahead)) return true;
  if (lexer->lookahead != '/') return false;
  advance(lexer);
  return lexer->lookahead == '/';
}

// Reads a word and stores its first characters. A `?` stands for a character that is not ASCII.
static void read_word(TSLexer *lexer, char word[WORD]) {
  unsigned length = 0;
  while (is_letter(lexer->lookahead) || is_digit(lexer->lookahead)) {
    if (length < WORD - 1) word[length++] = lexer->lookahead < 128 ? (char)lexer->lookahead : '?';
    advance(lexer);
  }
  word[length] = 0;
}

// Returns true if the text after a name continues a declaration: `name:`, `a, b:`, `p[d]:`. The name itself has been read.
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

// Returns true if the text after a newline begins a statement or an item, closes a block, or is empty. In the parameters of a
// technique, `n: 2..` is no declaration.
static bool begins_statement(TSLexer *lexer, bool in_parameters) {
  for (;;) {
    while (is_blank(lexer->lookahead) || is_line_end(lexer->lookahead)) advance(lexer);
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
  return !in_parameters && is_binding(lexer);
}

// Reports a token to tree-sitter.
static bool found(TSLexer *lexer, enum Token token) {
  lexer->result_symbol = token;
  return true;
}

static bool newline(State *state, TSLexer *lexer, const bool *valid) {
  if (lexer->eof(lexer)) {
    state->depth = 0;
    state->continues = false;
    return valid[NEWLINE] && found(lexer, NEWLINE);
  }
  bool is_cr = lexer->lookahead == '\r';
  advance(lexer);
  if (is_cr && lexer->lookahead == '\n') advance(lexer);
  lexer->mark_end(lexer);
  bool may_continue = state->depth > 0 || state->continues;
  if (valid[LINE_START] && !valid[NEWLINE]) {
    // The line before is empty or has only a comment.
    return found(lexer, CONTINUED);
  }
  // Tree-sitter marks ERROR as valid when it recovers from an error. Then every newline ends its line.
  if (!valid[ERROR] && may_continue) {
    skip_blanks(lexer);
    bool is_empty_line = is_line_end(lexer->lookahead) || lexer->lookahead == '/';
    if (!begins_statement(lexer, valid[PARAM_START])) {
      // After `+`, the line also continues over empty lines and comments.
      state->continues = state->continues && is_empty_line;
      return found(lexer, CONTINUED);
    }
  }
  state->depth = 0;
  state->continues = false;
  return found(lexer, NEWLINE);
}

// Reads a token after which the line continues if the token is the last of its line.
static bool continuing_token(State *state, TSLexer *lexer, enum Token token) {
  lexer->mark_end(lexer);
  state->continues = ends_line(lexer);
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

// Reads `and` or `or`.
static bool joiner(State *state, TSLexer *lexer, const bool *valid) {
  char word[WORD];
  read_word(lexer, word);
  if (valid[AND] && strcmp(word, "and") == 0) return continuing_token(state, lexer, AND);
  if (valid[OR] && strcmp(word, "or") == 0) return continuing_token(state, lexer, OR);
  return false;
}

static bool mark(State *state, TSLexer *lexer, const bool *valid, enum Token token) {
  if (!valid[token]) return false;
  advance(lexer);
  return continuing_token(state, lexer, token);
}

bool tree_sitter_pinion_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  State *state = payload;
  // True if no blank stands before the character: `f(x)` is a call, `f (x)` is not.
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
  buffer[1] = (char)state->continues;
  return 2;
}

void tree_sitter_pinion_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  State *state = payload;
  state->depth = length > 0 ? (uint8_t)buffer[0] : 0;
  state->continues = length > 1 && buffer[1];
}
