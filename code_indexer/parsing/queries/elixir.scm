; Definitions: all of them are calls, so the word that is called decides.
(call target: (identifier) @keyword (arguments . (alias) @name)) @definition.keyword
(call target: (identifier) @keyword (arguments . (call target: (identifier) @name))) @definition.keyword
(call target: (identifier) @keyword (arguments . (identifier) @name)) @definition.keyword
(call target: (identifier) @keyword
  (arguments . (binary_operator left: (call target: (identifier) @name) operator: "when"))) @definition.keyword

; Imports
(call target: (identifier) @keyword (arguments . (alias) @import.module)) @import.keyword
(call target: (identifier) @keyword
  (arguments . (dot left: (alias) @import.module right: (tuple (alias) @import.name)))) @import.keyword
(call target: (identifier) @keyword
  (arguments (keywords (pair key: (keyword) value: (alias) @import.alias)))) @import.keyword

; Names bound inside functions
(call (arguments) (do_block)) @local.scope
(call (arguments (keywords))) @local.scope
[(anonymous_function) (stab_clause) (do_block)] @local.scope
(binary_operator left: (identifier) @binding operator: "=")
(binary_operator left: (tuple (identifier) @binding) operator: "=")
(binary_operator left: (identifier) @binding operator: "<-")
(binary_operator left: (tuple (identifier) @binding) operator: "<-")
(stab_clause left: (arguments (identifier) @binding))
(stab_clause left: (arguments (tuple (identifier) @binding)))
(call target: (identifier) (arguments . (call (arguments (identifier) @binding))) (do_block))
(call target: (identifier) (arguments . (call (arguments (tuple (identifier) @binding)))) (do_block))
(call target: (identifier) (arguments . (call (arguments (binary_operator right: (identifier) @binding)))) (do_block))
(call target: (identifier) (arguments . (call (arguments (binary_operator left: (identifier) @binding)))) (do_block))
(call target: (identifier) (arguments . (call (arguments (map (map_content (keywords (pair value: (identifier) @binding))))))) (do_block))
(call target: (identifier)
  (arguments . (binary_operator left: (call (arguments (identifier) @binding)) operator: "when")) (do_block))

; References
(identifier) @reference
(alias) @reference
(call target: (identifier) @reference.call)
(call target: (dot right: (identifier) @reference.call))
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @reference.call))
(unary_operator operator: "@" operand: (call target: (identifier) @ignore))
