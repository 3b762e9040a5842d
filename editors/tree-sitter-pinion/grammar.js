/**
 * @file The rule language of Pinion.
 *
 * It accepts the texts that grammar/pinion.pest accepts after the layout pass (src/lang/parse/layout.rs). src/scanner.c decides where
 * lines and numbers end and which bracket opens a block. The scanner knows which tokens are valid at its position. Two tokens serve only
 * for this and never match: `_line_start` is valid at the start of a line, `_param_start` before a parameter of a technique.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const RESERVED = [
  'technique', 'assuming', 'case', 'let', 'require', 'chain', 'eliminate', 'place', 'conclude', 'called', 'says', 'because', 'when',
  'otherwise', 'for', 'in', 'from', 'to', 'on', 'some', 'every', 'no', 'not', 'with', 'has', 'lacks', 'sees', 'seeing',
  'within', 'disjoint', 'meeting', 'avoiding', 'through', 'crossing', 'parallel', 'connected', 'strong', 'weak', 'link', 'example',
  'near_miss', 'grid', 'finds', 'pattern', 'uses', 'guardians', 'join', 'by', 'using', 'those', 'loop', 'cluster', 'ring', 'suppose',
  'rules',
];

// Words that are never names: those reserved for the future, and the two that the scanner reads (`and`, `or`).
const KEPT = ['path', 'kind', 'relation', 'rectangle', 'and', 'or'];

// These words are keywords in one position only. Elsewhere they are ordinary names.
const SOFT = [
  'one', 'solution', 'candidates', 'links', 'cells', 'shortest', 'any', 'cell', 'same', 'digit', 'step', 'per', 'also', 'rn', 'cn',
  'linking', 'closed', 'between', 'givens', 'allow', 'excluded', 'coloured', 'odd', 'each', 'of', 'outside', 'its', 'singles',
  'reaches', 'contradiction', 'all', 'imply', 'without', 'after', 'board',
];

// The tree shows each token of the scanner as it is written: `_set_open` appears as `{`.
const MARKS = {
  block_open: '{', block_close: '}', set_open: '{', set_close: '}', paren_open: '(', call_open: '(', paren_close: ')',
  bracket_open: '[', bracket_close: ']', comma: ',', plus: '+', minus: '-', ampersand: '&', and: 'and', or: 'or',
};
const mark = ($, name) => alias($[`_${name}`], MARKS[name]);
const list = ($, rule) => seq(rule, repeat(seq(mark($, 'comma'), rule)));
const line = $ => seq($._newline, optional($._line_start));
const block = ($, rule) => seq(mark($, 'block_open'), line($), repeat(seq(rule, line($))), mark($, 'block_close'));

module.exports = grammar({
  name: 'pinion',

  externals: $ => [
    $._newline,
    $._continued,
    $._block_open,
    $._block_close,
    $._set_open,
    $._set_close,
    $._paren_open,
    $._call_open,
    $._paren_close,
    $._bracket_open,
    $._bracket_close,
    $._comma,
    $._plus,
    $._minus,
    $._ampersand,
    $._and,
    $._or,
    $.number,
    $._line_start,
    $._param_start,
    $._error,
  ],

  extras: $ => [/[ \t\uFEFF]/, $.comment, $._continued],

  word: $ => $._word,

  reserved: { global: _ => [...RESERVED, ...KEPT] },

  conflicts: $ => [
    [$._element],
    [$._qualifier],
    [$._property],
    [$.name, $._in_one],
    [$._clause],
    [$._noun],
  ],

  rules: {
    file: $ => seq(
      optional($._line_start),
      repeat(seq($._item, line($))),
      // `_error` never matches. This line makes the words of KEPT tokens, because only a token can be reserved.
      optional(seq($._error, choice(...KEPT))),
    ),

    _item: $ => choice($.doc_comment, $.technique, $.pattern, $.strong_link, $.example, $.rule_list),

    // ------------------------------------------------------------ words

    comment: _ => token(seq('//', /[^\r\n]*/)),
    doc_comment: _ => token(prec(1, seq('///', /[^\r\n]*/))),

    _word: _ => /[A-Za-z_][A-Za-z0-9_]*/,
    name: $ => choice($._word, ...SOFT),

    string: _ => token(seq('"', /[^"\r\n]*/, '"')),
    long_string: _ => token(prec(1, /"""([^"]|"[^"]|""[^"])*"""/)),

    // ------------------------------------------------------------ expressions

    variable: $ => seq(field('name', $.name), optional(seq(mark($, 'bracket_open'), field('index', $.name), mark($, 'bracket_close')))),
    call: $ => seq(field('function', $.name), mark($, 'call_open'), $._noun, mark($, 'paren_close')),
    set: $ => seq(mark($, 'set_open'), list($, $._sum), mark($, 'set_close')),
    count: $ => seq('#', choice($.paren, $.call, $.set, $.variable)),
    seeing: $ => prec.right(seq($.name, 'seeing', optional($._determiner), list($, $._seen))),
    excluded: $ => prec.right(seq('candidates', 'excluded', 'by', optional($._determiner), list($, $._seen))),
    _seen: $ => prec.right(seq($._atom, optional(seq('in', $._atom)))),
    _determiner: _ => choice('every', 'some', 'no'),
    paren: $ => seq(mark($, 'paren_open'), choice($.those, $._condition), mark($, 'paren_close')),
    those: $ => seq('those', $.name, 'in', $._sum, 'with', $._condition, repeat($.each)),

    _atom: $ => choice($.number, $.count, $.paren, $.set, $.call, $.excluded, $.seeing, $.variable),
    _operator: $ => choice(mark($, 'plus'), mark($, 'minus'), mark($, 'ampersand')),
    _sum: $ => seq($._atom, repeat(seq($._operator, $._atom))),
    _element: $ => seq($._sum, optional(seq('in', $._sum))),
    _noun: $ => list($, $._element),

    // ------------------------------------------------------------ conditions

    _condition: $ => seq($._conjunct, repeat(seq(choice(mark($, 'and'), mark($, 'or')), $._conjunct))),
    _conjunct: $ => seq(optional('not'), choice($.linked_by, $.allowed, $._clause)),
    linked_by: $ => seq($._determiner, 'link', 'by', $.name),
    allowed: $ => seq('givens', 'allow', $._sum, 'in', $._sum),
    _clause: $ => seq(optional($._determiner), $._noun, optional($._predicate)),
    _predicate: $ => choice($._comparison, $._containment, $._property, $._in_one, 'connected', $._closed),
    _comparison: $ => seq(choice('!=', '<=', '>=', '<', '>', '='), $._element),
    _containment: $ => seq(choice('within', 'disjoint'), $._element),
    _property: $ => choice(
      seq($._relation, optional($._determiner), $._noun),
      seq('parallel', optional($._noun)),
    ),
    _relation: _ => choice('has', 'lacks', 'sees', 'meeting', 'avoiding', 'through', 'crossing'),
    _in_one: $ => seq('in', 'one', field('kind', $.name)),
    _closed: $ => prec.right(seq('closed', optional(seq('between', $._sum, mark($, 'comma'), $._sum)))),
    each: $ => seq('for', optional($._determiner), $.name, 'in', $._sum),

    // ------------------------------------------------------------ statements

    binding: $ => seq(list($, $.variable), ':', $.kind, repeat($._qualifier), optional($.each)),
    kind: $ => seq(
      field('name', $.name),
      optional(choice(
        seq(mark($, 'bracket_open'), $._sum, optional(seq('..', optional($._sum))), mark($, 'bracket_close')),
        seq(mark($, 'call_open'), $.number, mark($, 'paren_close')),
      )),
    ),
    _qualifier: $ => choice(
      seq('=', $._sum),
      $._in_one,
      seq('in', $._sum),
      $._property,
      'connected',
      $._closed,
      seq('disjoint', optional($._noun)),
      seq('linking', $._noun, optional(seq('to', $._noun))),
      seq('with', choice(seq($._sum, 'candidates'), $._condition)),
    ),

    case: $ => seq('case', optional($.string), ':', list($, $.case_binding)),
    case_binding: $ => seq($.variable, ':', $.kind, repeat($._qualifier)),
    let: $ => seq('let', field('name', $.name), '=', choice($.those, $._noun)),
    guardians: $ => seq('guardians', field('name', $.name), '=', choice($.those, $._noun)),
    require: $ => seq('require', $._condition, repeat($.each)),
    eliminate: $ => seq('eliminate', $._noun, optional(seq('from', $._noun)), repeat($.each)),
    place: $ => seq('place', $._noun, repeat($.each)),
    conclude: $ => seq('conclude', choice(
      seq('some', $._noun, repeat($.each)),
      seq('every', 'link', 'of', $.name, optional(seq('outside', 'its', 'cells'))),
      seq(optional('not'), $.name),
    )),
    called: $ => seq('called', $.string, choice(seq('when', $._condition, repeat($.each)), 'otherwise')),
    says: $ => seq('says', $.string),
    because: $ => seq('because', $.string),
    one_step_per: $ => seq('one', 'step', 'per', list($, $.name)),
    uses: $ => seq('uses', field('pattern', $.name)),
    join: $ => seq(
      'join', field('technique', $.name), optional(seq(mark($, 'call_open'), list($, $._sum), mark($, 'paren_close'))),
      'by', list($, $.name),
    ),

    // ------------------------------------------------------------ chains, loops, suppositions

    trail: $ => seq('chain', $.stop, repeat1(seq($.trail_link, $.stop))),
    stop: $ => seq(mark($, 'paren_open'), $.name, repeat(seq(choice('=', mark($, 'minus')), $.name)), mark($, 'paren_close'), $.name),
    trail_link: $ => choice(
      seq('=', optional(seq($.name, '='))),
      seq(mark($, 'minus'), optional(seq($.name, mark($, 'minus')))),
    ),

    chain: $ => seq(
      'chain', optional($._on), 'from', $._end, 'to', $._end, mark($, 'comma'), $._length, optional(seq(mark($, 'comma'), 'shortest')),
      $._links,
    ),
    _on: $ => seq('on', $._sum),
    _end: $ => choice(seq(mark($, 'paren_open'), $.name, mark($, 'paren_close'), $.name), $.name),
    _length: $ => seq(
      $.number, optional(seq('..', optional($.number))),
      choice('cells', seq('strong', 'links'), 'links', 'candidates'),
    ),
    loop: $ => seq(
      'loop', $.name, optional($._on), optional($._colours), mark($, 'comma'), $._length, optional(seq(mark($, 'comma'), 'shortest')), $._links,
    ),
    cluster: $ => seq('cluster', optional($._on), $._colours, $._links),
    _colours: $ => seq('coloured', $.name, mark($, 'comma'), $.name),
    ring: $ => seq(
      'ring', $.name, optional($._on), mark($, 'comma'), $._length, mark($, 'comma'), 'odd', mark($, 'comma'), 'guardians', $.name, $._links,
    ),
    _links: $ => block($, choice($.strong_links, $.weak_links)),
    strong_links: $ => seq('strong', ':', list($, $.name)),
    weak_links: $ => seq('weak', ':', choice('any', 'cell', seq('same', 'digit'))),

    suppose: $ => seq('suppose', $._cases, 'using', choice(
      seq('links', optional($._on), optional(seq(mark($, 'comma'), $._length)), mark($, 'comma'), $._shows, $._links),
      seq('singles', optional($._on), mark($, 'comma'), $._shows),
      seq('rules', list($, $.instance), mark($, 'comma'), $._shows),
    )),
    _cases: $ => choice(
      seq('each', 'of', $._noun),
      seq('not', $.name),
      seq($.name, optional(seq(mark($, 'comma'), mark($, 'or'), 'not', $.name))),
    ),
    _shows: $ => choice(seq('reaches', 'contradiction'), seq('all', 'imply', optional('not'), $.name, optional(seq('without', 'contradiction')))),

    // ------------------------------------------------------------ items

    technique: $ => seq(
      'technique', field('name', $.name),
      optional(seq(mark($, 'call_open'), list($, seq(optional($._param_start), $.param)), mark($, 'paren_close'))),
      optional($.string), optional($.also), optional(seq('assuming', 'one', 'solution')), $._body,
    ),
    param: $ => seq(field('name', $.name), ':', $.number, '..', optional($.number)),
    also: $ => seq('also', 'in', list($, $.view)),
    view: $ => seq(choice('rn', 'cn'), $.string),
    pattern: $ => seq('pattern', field('name', $.name), $._body),
    strong_link: $ => seq(
      'strong', 'link', field('name', $.name), $.node, '=', $.node, $._body,
    ),
    node: $ => seq(mark($, 'paren_open'), $.name, mark($, 'paren_close'), $.name),
    rule_list: $ => seq('rules', field('name', $.name), '=', list($, $.instance)),
    instance: $ => seq(field('technique', $.name), optional(seq(mark($, 'call_open'), list($, $.number), mark($, 'paren_close')))),

    _body: $ => block($, $._statement),
    _statement: $ => choice(
      $.case, $.let, $.guardians, $.require, $.eliminate, $.place, $.conclude, $.called, $.says, $.because, $.one_step_per, $.uses,
      $.join, $.chain, $.loop, $.cluster, $.ring, $.suppose, $.trail, $.binding,
    ),

    example: $ => seq(
      choice('example', 'near_miss'), $.instance, optional($.string),
      block($, choice($.grid, $.finds, $.after, $.board)),
    ),
    grid: $ => seq('grid', choice($.long_string, $.string)),
    finds: $ => seq('finds', $.deduction, repeat(seq(optional(mark($, 'comma')), $.deduction))),
    after: $ => seq('after', list($, $.instance)),
    board: $ => seq('board', $.string),
    deduction: _ => token(/[A-Za-z0-9_<>=]+/),
  },
});
