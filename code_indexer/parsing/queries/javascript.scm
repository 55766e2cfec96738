; inherits: ecmascript

; Definitions
(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(class_declaration name: (identifier) @name) @definition.class
(field_definition property: (property_identifier) @name
  value: [(arrow_function) (function_expression)]) @definition.method
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @definition.field

; Names bound inside functions
(formal_parameters (identifier) @binding)
(class_declaration) @local.barrier

; References
(class_heritage (identifier) @reference.inherit)
(class_heritage (member_expression property: (property_identifier) @reference.inherit))
(jsx_opening_element name: (identifier) @reference.component)
(jsx_self_closing_element name: (identifier) @reference.component)
(jsx_closing_element name: (identifier) @reference.closing)
(jsx_attribute (property_identifier) @ignore)
