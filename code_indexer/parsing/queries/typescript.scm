; inherits: ecmascript

; Definitions
(function_signature name: (identifier) @name) @definition.function
(class_declaration name: (type_identifier) @name) @definition.class
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(abstract_method_signature name: (property_identifier) @name) @definition.method
(method_signature name: (property_identifier) @name) @definition.method
(interface_body (property_signature name: (property_identifier) @name) @definition.property)
(public_field_definition name: (property_identifier) @name
  value: [(arrow_function) (function_expression)]) @definition.method
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name) @definition.field
(interface_declaration name: (type_identifier) @name) @definition.interface
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.enum
(enum_body name: [(property_identifier) (string)] @name @definition.constant)
(enum_body (enum_assignment name: [(property_identifier) (string)] @name) @definition.constant)
(internal_module name: [(identifier) (nested_identifier)] @name) @definition.namespace
(module name: [(identifier) (nested_identifier) (string)] @name) @definition.namespace
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.field
(optional_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.field
(required_parameter "readonly" pattern: (identifier) @name) @definition.field
(optional_parameter "readonly" pattern: (identifier) @name) @definition.field
(internal_module body: (statement_block (export_statement (lexical_declaration "const"
  (variable_declarator name: (identifier) @name) @definition.constant))))
(internal_module body: (statement_block (lexical_declaration "const"
  (variable_declarator name: (identifier) @name) @definition.constant)))
(ambient_declaration) @extent

; Imports
(import_statement (import_require_clause (identifier) @import.name source: (string) @import.module))

; Names bound inside functions
[(function_signature) (method_signature) (abstract_method_signature) (function_type)
 (constructor_type) (call_signature) (construct_signature) (type_alias_declaration)
 (interface_declaration)] @local.scope
[(class_declaration) (abstract_class_declaration)] @local.scope
(required_parameter pattern: (identifier) @binding)
(optional_parameter pattern: (identifier) @binding)
(type_parameter name: (type_identifier) @binding)
(class) @local.scope
(class name: (type_identifier) @binding)
(infer_type (type_identifier) @binding)
(mapped_type_clause name: (type_identifier) @binding)
(index_signature name: (identifier) @ignore)
(type_predicate name: (identifier) @ignore)

; References
(type_identifier) @reference.type
(property_signature name: (property_identifier) @ignore)
(extends_clause value: (identifier) @reference.inherit)
(extends_clause value: (member_expression property: (property_identifier) @reference.inherit))
(implements_clause (type_identifier) @reference.inherit)
(implements_clause (generic_type name: (type_identifier) @reference.inherit))
(implements_clause (nested_type_identifier name: (type_identifier) @reference.inherit))
(extends_type_clause type: (type_identifier) @reference.inherit)
(extends_type_clause type: (generic_type name: (type_identifier) @reference.inherit))
(extends_type_clause type: (nested_type_identifier name: (type_identifier) @reference.inherit))
