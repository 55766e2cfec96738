; Definitions
(class_declaration "class" name: (type_identifier) @name) @definition.class
(class_declaration "actor" name: (type_identifier) @name) @definition.class
(class_declaration "struct" name: (type_identifier) @name) @definition.struct
(class_declaration "enum" name: (type_identifier) @name) @definition.enum
(class_declaration "extension" name: (user_type) @name) @scope
(class_declaration "extension" name: (array_type (user_type) @name)) @scope
(protocol_declaration name: (type_identifier) @name) @definition.protocol
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(function_declaration name: (simple_identifier) @name) @definition.function
(function_declaration name: (custom_operator) @name) @definition.function
(function_declaration name: ["==" "!=" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "&" "|" "^"] @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(init_declaration "init" @name) @definition.constructor
(macro_declaration "macro" . (simple_identifier) @name) @definition.macro
(precedence_group_declaration (simple_identifier) @name) @definition.type
(deinit_declaration "deinit" @name) @definition.method
(subscript_declaration "subscript" @name) @definition.method
(enum_entry name: (simple_identifier) @name) @definition.constant
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property)
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property

; Imports
(import_declaration (identifier) @import.module) @import

; Names bound inside functions
[(function_declaration) (macro_declaration) (init_declaration) (lambda_literal) (for_statement) (if_statement)
 (while_statement) (switch_entry) (catch_block) (do_statement) (computed_getter)
 (computed_setter) (subscript_declaration) (class_declaration) (protocol_declaration)] @local.scope
(parameter name: (simple_identifier) @binding)
(parameter external_name: (simple_identifier) @ignore)
(lambda_parameter name: (simple_identifier) @binding)
(function_body (statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @binding))))
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @binding)))
(for_statement item: (pattern bound_identifier: (simple_identifier) @binding))
(if_statement bound_identifier: (simple_identifier) @binding)
(guard_statement bound_identifier: (simple_identifier) @binding)
(while_statement bound_identifier: (simple_identifier) @binding)
(if_statement condition: (pattern bound_identifier: (simple_identifier) @binding))
(switch_pattern (pattern bound_identifier: (simple_identifier) @binding))
(catch_block error: (pattern bound_identifier: (simple_identifier) @binding))
(type_parameter (type_identifier) @binding)
(statements (property_declaration name: (pattern (pattern (simple_identifier) @binding))))

; References
(simple_identifier) @reference
(type_identifier) @reference.type
(value_argument_label (simple_identifier) @ignore)
(precedence_group_attribute . (simple_identifier) @ignore)
(call_expression (simple_identifier) @reference.call (call_suffix))
(call_expression (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @reference.call)) (call_suffix))
(inheritance_specifier inherits_from: (user_type (type_identifier) @reference.inherit))

; depth: 1
(property_declaration name: (pattern (pattern (simple_identifier) @name))) @definition.variable
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable
