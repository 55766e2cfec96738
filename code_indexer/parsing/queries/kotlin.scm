; Definitions
(class_declaration (type_identifier) @name) @definition.class
(class_declaration "interface" (type_identifier) @name) @definition.interface
(class_declaration "enum" (type_identifier) @name) @definition.enum
(object_declaration (type_identifier) @name) @definition.class
(companion_object (type_identifier) @name) @definition.class
(type_alias (type_identifier) @name) @definition.type
(secondary_constructor "constructor" @name) @definition.constructor
(function_declaration (simple_identifier) @name) @definition.function
(function_declaration receiver: (receiver_type (user_type (type_identifier) @owner)))
(function_declaration receiver: (receiver_type (nullable_type (user_type (type_identifier) @owner))))
(property_declaration receiver: (receiver_type (user_type (type_identifier) @owner))) @definition.property
(property_declaration receiver: (receiver_type
  (nullable_type (user_type (type_identifier) @owner)))) @definition.property
(secondary_constructor) @scope
(enum_entry . (simple_identifier) @name) @definition.constant
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @definition.property
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @definition.property)
(enum_class_body (property_declaration (variable_declaration (simple_identifier) @name)) @definition.property)
[(getter) (setter)] @tail

; Imports
(import_header) @import
(import_header (identifier) @import.path)
(import_header (identifier) @import.package (wildcard_import) @import.name)
(import_alias (type_identifier) @import.alias)
(package_header (identifier (simple_identifier) @ignore))

; Names bound inside functions
[(function_declaration) (secondary_constructor) (lambda_literal) (anonymous_function) (for_statement)
 (catch_block) (when_expression) (control_structure_body) (getter) (setter) (class_declaration)
 ] @local.scope
(parameter (simple_identifier) @binding)
(class_parameter . (simple_identifier) @binding)
(lambda_parameters (variable_declaration (simple_identifier) @binding))
(multi_variable_declaration (variable_declaration (simple_identifier) @binding))
(for_statement (variable_declaration (simple_identifier) @binding))
(when_subject (variable_declaration (simple_identifier) @binding))
(catch_block (simple_identifier) @binding)
(statements (property_declaration (variable_declaration (simple_identifier) @binding)))
(type_parameter (type_identifier) @binding)

; References
(simple_identifier) @reference
(type_identifier) @reference.type
(value_argument . (simple_identifier) @ignore . (_))
(label) @ignore
(call_expression (simple_identifier) @reference.call (call_suffix))
(call_expression (navigation_expression (navigation_suffix (simple_identifier) @reference.call)) (call_suffix))
(callable_reference (simple_identifier) @reference.call)
(delegation_specifier (user_type (type_identifier) @reference.inherit))
(delegation_specifier (constructor_invocation (user_type (type_identifier) @reference.inherit)))
(delegation_specifier (explicit_delegation (user_type (type_identifier) @reference.inherit)))

; depth: 1
(property_declaration (variable_declaration (simple_identifier) @name)) @definition.variable
