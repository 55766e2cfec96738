; Definitions: all of them are calls, so the word that is called decides.
(call target: (identifier) @keyword (arguments . (alias) @name)) @definition.keyword
(call target: (identifier) @keyword (arguments . (call target: (identifier) @name))) @definition.keyword
(call target: (identifier) @keyword (arguments . (identifier) @name)) @definition.keyword
(call target: (identifier) @keyword
  (arguments . (binary_operator left: (call target: (identifier) @name) operator: "when"))) @definition.keyword
(call target: (identifier) @keyword
  (arguments . (binary_operator left: (identifier) @name operator: "when"))) @definition.keyword
(call target: (identifier) @keyword (arguments . (binary_operator
  operator: ["+" "-" "*" "/" "++" "--" "<>" "|>" "<|>" "~>" "<~" "<~>" "~>>" "<<~" "&&&" "|||" "<<<" ">>>"] @name))) @definition.keyword
(call target: (identifier) @keyword (arguments . (binary_operator left: (binary_operator
  operator: ["+" "-" "*" "/" "++" "--" "<>" "|>" "<|>" "~>" "<~" "<~>" "~>>" "<<~" "&&&" "|||" "<<<" ">>>"] @name)
  operator: "when"))) @definition.keyword

; @type, @callback and the like: the word is @ and the name behind it.
(unary_operator operator: "@" operand: (call
  (arguments . (binary_operator left: (identifier) @name operator: "::")))) @keyword @definition.keyword
(unary_operator operator: "@" operand: (call
  (arguments . (binary_operator left: (call target: (identifier) @name) operator: "::")))) @keyword @definition.keyword
(unary_operator operator: "@" operand: (call
  (arguments . (binary_operator left: (binary_operator left: (call target: (identifier) @name) operator: "::")
    operator: "when")))) @keyword @definition.keyword

(do_block . (unary_operator operator: "@" operand: (call target: (identifier)
  (arguments . (string)))) @doc)
(do_block . (unary_operator operator: "@" operand: (call target: (identifier)
  (arguments . (sigil)))) @doc)

; Imports
(call target: (identifier) @keyword (arguments . (alias) @import.module)) @import.keyword
(call target: (identifier) @keyword
  (arguments . (dot left: (alias) @import.module right: (tuple (alias) @import.name)))) @import.keyword
(call target: (identifier) @keyword
  (arguments (keywords (pair key: (keyword) value: (alias) @import.alias)))) @import.keyword

; References: a name without arguments is a variable.
(alias) @reference
(call target: (identifier) @keyword)
(call target: (identifier) @reference.call)
(call target: (dot right: (identifier) @reference.call))
(binary_operator operator: "|>" right: (identifier) @reference.call)
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @reference.call))
(unary_operator operator: "@" operand: (call target: (identifier) @ignore))
(unary_operator operator: "@" operand: (call
  (arguments (binary_operator left: (call target: (identifier) @ignore)))))
