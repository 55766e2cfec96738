; Definitions
(function_definition name: (identifier) @name) @definition.function
(class_definition name: (identifier) @name) @definition.class
(type_alias_statement left: (type (identifier) @name)) @definition.type
(type_alias_statement left: (type (generic_type . (identifier) @name))) @definition.type
(class_definition body: (block (assignment
  left: [(identifier) @name (pattern_list (identifier) @name)]) @definition.field))
(class_definition body: (block (assignment right: (assignment left: (identifier) @name)) @definition.field))
(decorated_definition) @extent

(function_definition body: (block . (string) @doc))
(class_definition body: (block . (string) @doc))

; Imports
(import_statement) @import
(import_statement name: (dotted_name) @import.module)
(import_statement name: (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias))
(import_from_statement) @import
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name)
(import_from_statement module_name: (_) @import.module
  name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.name)

; Names bound inside functions
[(function_definition) (lambda) (list_comprehension) (set_comprehension) (dictionary_comprehension)
 (generator_expression)] @local.scope
(class_definition body: (block) @local.barrier)
(parameters (identifier) @binding)
(lambda_parameters (identifier) @binding)
(typed_parameter . (identifier) @binding)
(default_parameter name: (identifier) @binding)
(typed_default_parameter name: (identifier) @binding)
(list_splat_pattern (identifier) @binding)
(dictionary_splat_pattern (identifier) @binding)
(assignment left: (identifier) @binding)
(assignment left: (pattern_list (identifier) @binding))
(assignment left: (tuple_pattern (identifier) @binding))
(named_expression name: (identifier) @binding)
(for_statement left: (identifier) @binding)
(for_statement left: (pattern_list (identifier) @binding))
(for_statement left: (pattern_list (tuple_pattern (identifier) @binding)))
(for_statement left: (tuple_pattern (identifier) @binding))
(for_in_clause left: (identifier) @binding)
(for_in_clause left: (pattern_list (identifier) @binding))
(for_in_clause left: (pattern_list (tuple_pattern (identifier) @binding)))
(for_in_clause left: (tuple_pattern (identifier) @binding))
(as_pattern_target (identifier) @binding)
(as_pattern_target (tuple (identifier) @binding))
(case_pattern (dotted_name . (identifier) @binding .))
(keyword_pattern (dotted_name . (identifier) @binding .))
(splat_pattern (identifier) @binding)
(as_pattern (case_pattern) (identifier) @binding)
(global_statement (identifier) @global)
(nonlocal_statement (identifier) @global)

; Type parameters
(class_definition type_parameters: (_)) @local.scope
(type_alias_statement) @local.scope
(_ type_parameters: (type_parameter (type
  . [(identifier) @binding (constrained_type . (type (identifier) @binding))])))
(type_alias_statement left: (type (generic_type (type_parameter (type . (identifier) @binding)))))

; References
(identifier) @reference
(keyword_argument name: (identifier) @ignore)
(keyword_pattern . (identifier) @ignore)
(future_import_statement (dotted_name (identifier) @ignore))
(class_definition superclasses: (argument_list [
  (identifier) @reference.inherit
  (attribute attribute: (identifier) @reference.inherit)
  (subscript value: (identifier) @reference.inherit)
  (subscript value: (attribute attribute: (identifier) @reference.inherit))]))
(type (identifier) @reference.type)
(type (generic_type (identifier) @reference.type))
(type (attribute attribute: (identifier) @reference.type))
(decorator (identifier) @reference.call)
(decorator (attribute attribute: (identifier) @reference.call))

; depth: 1
(if_statement consequence: (block (assignment left: (identifier) @name) @definition.variable))
(if_statement alternative: (_ (block (assignment left: (identifier) @name) @definition.variable)))
(try_statement body: (block (assignment left: (identifier) @name) @definition.variable))
(try_statement (except_clause (block (assignment left: (identifier) @name) @definition.variable)))
(try_statement (else_clause body: (block (assignment left: (identifier) @name) @definition.variable)))
(assignment left: (identifier) @name) @definition.variable
(assignment left: (pattern_list (identifier) @name)) @definition.variable
(assignment left: (pattern_list (list_splat_pattern (identifier) @name))) @definition.variable
(assignment left: (tuple_pattern (identifier) @name)) @definition.variable
(assignment right: (assignment left: (identifier) @name)) @definition.variable
