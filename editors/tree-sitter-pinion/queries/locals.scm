; A name belongs to the rule that defines it.

[(technique) (pattern) (strong_link)] @local.scope

(binding (variable name: (name) @local.definition))
(case_binding (variable name: (name) @local.definition))
(let name: (name) @local.definition)
(guardians name: (name) @local.definition)
(param name: (name) @local.definition)
(each (name) @local.definition)
(stop (name) @local.definition)
(node (name) @local.definition)

(variable name: (name) @local.reference)
(variable index: (name) @local.reference)
