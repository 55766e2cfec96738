; Definitions
(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(method_declaration name: (identifier) @name) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.constructor
(compact_constructor_declaration name: (identifier) @name) @definition.constructor
(enum_constant name: (identifier) @name) @definition.constant
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(record_declaration parameters: (formal_parameters
  (formal_parameter name: (identifier) @name) @definition.field))
(record_declaration parameters: (formal_parameters
  (spread_parameter (variable_declarator name: (identifier) @name)) @definition.field))

; Imports
(import_declaration) @import
(import_declaration (scoped_identifier scope: (_) @import.module name: (identifier) @import.name) .)
(import_declaration [(scoped_identifier) (identifier)] @import.module (asterisk) @import.name)
(package_declaration [(scoped_identifier) (identifier)] @package)

; Names bound inside methods
[(method_declaration) (constructor_declaration) (compact_constructor_declaration)
 (lambda_expression) (block) (for_statement) (enhanced_for_statement) (catch_clause)
 (try_with_resources_statement) (class_declaration) (interface_declaration)
 (record_declaration)] @local.scope
(method_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @binding)))
(constructor_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @binding)))
(lambda_expression parameters: (formal_parameters (formal_parameter name: (identifier) @binding)))
(lambda_expression parameters: (identifier) @binding)
(inferred_parameters (identifier) @binding)
(spread_parameter (variable_declarator name: (identifier) @binding))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @binding))
(enhanced_for_statement name: (identifier) @binding)
(catch_formal_parameter name: (identifier) @binding)
(resource name: (identifier) @binding)
(instanceof_expression name: (identifier) @binding)
(type_pattern (identifier) @binding)
(record_pattern_component (identifier) @binding .)
(record_pattern . (identifier) @reference.type)
(type_parameter (type_identifier) @binding)

; References
(identifier) @reference
(type_identifier) @reference.type
(labeled_statement . (identifier) @ignore)
(break_statement (identifier) @ignore)
(continue_statement (identifier) @ignore)
(element_value_pair key: (identifier) @ignore)
(object_creation_expression type: (type_identifier) @reference.call)
(object_creation_expression type: (generic_type . (type_identifier) @reference.call))
(object_creation_expression type: (scoped_type_identifier (type_identifier) @reference.call .))
(annotation name: (identifier) @reference.type)
(marker_annotation name: (identifier) @reference.type)
(method_reference (_) (identifier) @reference.call .)
(superclass (type_identifier) @reference.inherit)
(superclass (generic_type . (type_identifier) @reference.inherit))
(superclass (generic_type . (scoped_type_identifier (type_identifier) @reference.inherit .)))
(superclass (scoped_type_identifier (type_identifier) @reference.inherit .))
(super_interfaces (type_list (type_identifier) @reference.inherit))
(super_interfaces (type_list (generic_type . (type_identifier) @reference.inherit)))
(super_interfaces (type_list (scoped_type_identifier (type_identifier) @reference.inherit .)))
(extends_interfaces (type_list (type_identifier) @reference.inherit))
(extends_interfaces (type_list (generic_type . (type_identifier) @reference.inherit)))
(extends_interfaces (type_list (scoped_type_identifier (type_identifier) @reference.inherit .)))
