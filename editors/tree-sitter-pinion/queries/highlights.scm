; Syntax colours. At most one pattern matches a word: if two matched, some editors would take the first and some the last.

(comment) @comment
(doc_comment) @comment.documentation

[(string) (long_string)] @string
(number) @number
(deduction) @constant

; Items
(technique name: (name) @function)
(pattern name: (name) @function)
(strong_link name: (name) @function)
(rule_list name: (name) @function)
(instance technique: (name) @function)
(join technique: (name) @function)
(uses pattern: (name) @function)
(strong_links (name) @function)
(linked_by (name) @function)

; Kinds and functions
(kind name: (name) @type)
(_ kind: (name) @type)
(call function: (name) @function.builtin)
(seeing . (name) @type)

; All digits, cells or houses of the board
((variable name: (name) @type)
  (#match? @type "^(digits|cells|candidates|houses|rows|columns|boxes|lines)$"))

; Names
((variable name: (name) @variable)
  (#not-match? @variable "^(digits|cells|candidates|houses|rows|columns|boxes|lines)$"))
(variable index: (name) @variable)
(param name: (name) @variable.parameter)
(let name: (name) @variable)
(guardians name: (name) @variable)
(each (name) @variable)
(those . (name) @variable)
(join "by" (name) @variable)
(one_step_per (name) @variable)
(conclude (name) @variable)
(stop (name) @variable)
(trail_link (name) @variable)
(node (name) @variable)
(chain (name) @variable)
(loop (name) @variable)
(cluster (name) @variable)
(ring (name) @variable)
(suppose (name) @variable)

; Words of the language
["technique" "pattern" "strong" "link" "example" "near_miss" "rules" "assuming"] @keyword

["case" "let" "require" "chain" "eliminate" "place" "conclude" "called" "says" "because" "guardians" "uses" "join" "loop" "cluster"
 "ring" "suppose" "grid" "finds" "weak"] @keyword

["when" "otherwise" "for" "in" "from" "to" "on" "some" "every" "no" "not" "and" "or" "with" "has" "lacks" "sees" "seeing" "within"
 "disjoint" "meeting" "avoiding" "through" "crossing" "parallel" "connected" "by" "using" "those"] @keyword.operator

; Words that are names in other positions
(technique ["one" "solution"] @keyword)
(also ["also"] @keyword)
(view ["rn" "cn"] @keyword)
(one_step_per ["one" "step" "per"] @keyword)
(after "after" @keyword)
(board "board" @keyword)
(allowed ["givens" "allow"] @keyword)
(excluded ["candidates" "excluded"] @keyword)
(conclude ["of" "outside" "its" "cells"] @keyword)
(weak_links ["any" "cell" "same" "digit"] @keyword)
(cluster "coloured" @keyword)
(ring ["odd" "candidates" "links" "cells"] @keyword)
(chain ["shortest" "candidates" "links" "cells"] @keyword)
(loop ["coloured" "shortest" "candidates" "links" "cells"] @keyword)
(suppose ["links" "singles" "reaches" "contradiction" "all" "imply" "without" "each" "of" "candidates" "cells"] @keyword)
(binding ["one" "linking" "closed" "between" "candidates"] @keyword)
(case_binding ["one" "linking" "closed" "between" "candidates"] @keyword)
(require ["one" "closed" "between"] @keyword)
(paren ["one" "closed" "between"] @keyword)
(those ["one" "closed" "between"] @keyword)
(called ["one" "closed" "between"] @keyword)

["=" "!=" "<" "<=" ">" ">=" "+" "-" "&" "#" ".."] @operator
["{" "}" "(" ")" "[" "]"] @punctuation.bracket
["," ":"] @punctuation.delimiter
