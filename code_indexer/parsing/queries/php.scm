; Definitions
(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.trait
(enum_declaration name: (name) @name) @definition.enum
(enum_case name: (name) @name) @definition.constant
(method_declaration name: (name) @name) @definition.method
(function_definition name: (name) @name) @definition.function
(const_declaration (const_element . (name) @name)) @definition.constant
(property_declaration (property_element name: (variable_name (name) @name))) @definition.property
(property_promotion_parameter name: (variable_name (name) @name)) @definition.property
(namespace_definition name: (namespace_name) @name body: (_)) @definition.namespace
(function_call_expression function: (name) @keyword arguments: (arguments
  . (argument [(string (string_content) @name) (encapsed_string . (string_content) @name .)])
  . (argument))) @definition.keyword

; Imports
(namespace_use_declaration) @import
(namespace_use_clause (qualified_name prefix: (namespace_name) @import.module (name) @import.name))
(namespace_use_declaration (namespace_name) @import.module)
(namespace_use_group (namespace_use_clause . (name) @import.name))
(namespace_use_declaration (namespace_use_clause . (name) @import.name))
(namespace_use_clause alias: (name) @import.alias)
(require_expression (string) @import.module) @import
(require_once_expression (string) @import.module) @import
(include_expression (string) @import.module) @import
(include_once_expression (string) @import.module) @import
(namespace_definition name: (namespace_name (name) @ignore))

; Variables, for the types that they are declared with
[(function_definition) (method_declaration) (anonymous_function) (arrow_function) (program)] @local.scope
(simple_parameter name: (variable_name) @binding)
(variadic_parameter name: (variable_name) @binding)
(property_promotion_parameter name: (variable_name) @binding)
(assignment_expression left: (variable_name) @binding)
(catch_clause name: (variable_name) @binding)

; References
(name) @reference
(variable_name (name) @ignore)
(argument name: (name) @ignore)
(member_call_expression name: (name) @reference.call)
(nullsafe_member_call_expression name: (name) @reference.call)
(scoped_call_expression name: (name) @reference.call)
(object_creation_expression (name) @reference.call)
(object_creation_expression (qualified_name (name) @reference.call .))
(named_type (name) @reference.type)
(named_type (qualified_name (name) @reference.type .))
(base_clause (name) @reference.inherit)
(base_clause (qualified_name (name) @reference.inherit .))
(class_interface_clause (name) @reference.inherit)
(class_interface_clause (qualified_name (name) @reference.inherit .))
(use_declaration (name) @reference.inherit)
(use_declaration (qualified_name (name) @reference.inherit .))
(attribute (name) @reference.type)
