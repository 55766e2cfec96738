; References
(variable_expr (identifier) @reference)
(object_elem key: (expression (variable_expr (identifier) @ignore)))
(get_attr (identifier) @reference)
(function_call (identifier) @reference.call)

; Definitions: a block is known by the last of its labels; its type and other labels own it.
; depth: 2
(block (identifier) @keyword (string_lit (template_literal) @name) . (block_start)) @definition.keyword
(block (identifier) @keyword
  (string_lit (template_literal) @owner) . (string_lit (template_literal) @name)) @definition.keyword
(block . (identifier) @keyword . (block_start)
  (body (attribute (identifier) @name))) @definition.keyword
