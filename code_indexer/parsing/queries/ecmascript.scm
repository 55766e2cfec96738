; Definitions
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(method_definition name: [(property_identifier) (private_property_identifier) (string)] @name) @definition.method
(variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(variable_declarator name: (identifier) @name value: (class)) @definition.class
(lexical_declaration . (variable_declarator) .) @extent
(export_statement) @extent

; Imports
(import_statement) @import
(import_statement source: (string) @import.module)
(import_clause (identifier) @import.name)
(namespace_import (identifier) @import.name)
(import_specifier name: (identifier) @import.name)
(import_specifier alias: (identifier) @import.alias)
(export_statement source: (string) @import.module) @import
(export_statement (export_clause (export_specifier name: (identifier) @import.name)) source: (string))
(export_statement (export_clause (export_specifier alias: (identifier) @import.alias)) source: (string))
(export_specifier alias: (identifier) @ignore)
(variable_declarator name: (identifier) @import.name value: (call_expression
  function: (identifier) @keyword arguments: (arguments . (string) @import.module .))) @import.keyword
(variable_declarator name: (object_pattern) value: (call_expression
  function: (identifier) @keyword arguments: (arguments . (string) @import.module .))) @import.keyword
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @import.name)
  value: (call_expression arguments: (arguments . (string) .)))
(variable_declarator
  name: (object_pattern (pair_pattern
    key: (property_identifier) @import.name value: (identifier) @import.alias))
  value: (call_expression arguments: (arguments . (string) .)))
(variable_declarator name: (identifier) @import.alias value: (member_expression
  object: (call_expression function: (identifier) @keyword arguments: (arguments . (string) @import.module .))
  property: (property_identifier) @import.name)) @import.keyword

; Names bound inside functions
[(function_declaration) (generator_function_declaration) (function_expression) (generator_function)
 (arrow_function) (method_definition) (statement_block) (for_statement) (for_in_statement)
 (catch_clause) (switch_body)] @local.scope
(variable_declarator name: (identifier) @binding)
(arrow_function parameter: (identifier) @binding)
(function_expression name: (identifier) @binding)
(catch_clause parameter: (identifier) @binding)
(for_in_statement left: (identifier) @binding)
(shorthand_property_identifier_pattern) @binding
(pair_pattern value: (identifier) @binding)
(array_pattern (identifier) @binding)
(rest_pattern (identifier) @binding)
(assignment_pattern left: (identifier) @binding)

; References
[(identifier) (shorthand_property_identifier)] @reference
[(property_identifier) (private_property_identifier)] @reference.member
(pair key: (property_identifier) @ignore)
(pair_pattern key: (property_identifier) @ignore)
(new_expression constructor: (identifier) @reference.call)
(new_expression constructor: (member_expression property: (property_identifier) @reference.call))
(call_expression function: (identifier) @reference.call)

; depth: 2
(lexical_declaration "const" (variable_declarator name: (identifier) @name) @definition.constant)
(lexical_declaration "let" (variable_declarator name: (identifier) @name) @definition.variable)
(variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @name)) @definition.variable
(variable_declarator
  name: (object_pattern (pair_pattern value: (identifier) @name))) @definition.variable
(variable_declarator name: (object_pattern
  (pair_pattern value: (assignment_pattern left: (identifier) @name)))) @definition.variable
(variable_declarator name: (object_pattern (object_assignment_pattern
  left: (shorthand_property_identifier_pattern) @name))) @definition.variable
(variable_declarator name: (array_pattern (identifier) @name)) @definition.variable
(variable_declarator name: (array_pattern
  (assignment_pattern left: (identifier) @name))) @definition.variable
(variable_declarator name: [(object_pattern (rest_pattern (identifier) @name))
  (array_pattern (rest_pattern (identifier) @name))]) @definition.variable
(lexical_declaration "const"
  (variable_declarator name: [(object_pattern) (array_pattern)]) @definition.constant)
