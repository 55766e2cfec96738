; Definitions
(class name: (constant) @name) @definition.class
(class name: (scope_resolution scope: (_)? @owner name: (constant) @name)) @definition.class
(module name: (constant) @name) @definition.module
(module name: (scope_resolution scope: (_)? @owner name: (constant) @name)) @definition.module
(method name: (_) @name) @definition.method
(singleton_method name: (_) @name) @definition.method
(alias name: [(identifier) (constant) (operator) (setter) (simple_symbol)] @name) @definition.method
(assignment left: (constant) @name) @definition.constant
(assignment left: (left_assignment_list (constant) @name)) @definition.constant
(assignment left: (scope_resolution scope: (_)? @owner name: (constant) @name)) @definition.constant
(call method: (identifier) @keyword arguments: (argument_list (simple_symbol) @name)) @definition.keyword
(class body: (body_statement (call
  method: (identifier) @keyword arguments: (argument_list (string (string_content) @name))) @definition.keyword))
(module body: (body_statement (call
  method: (identifier) @keyword arguments: (argument_list (string (string_content) @name))) @definition.keyword))
(singleton_class) @scope

; Imports
(call method: (identifier) @keyword arguments: (argument_list (string (string_content) @import.module))) @import.keyword

; Names bound inside methods
[(method) (singleton_method) (lambda) (block) (do_block) (program)] @local.scope
[(class) (module) (singleton_class)] @local.barrier
(method_parameters (identifier) @binding)
(block_parameters (identifier) @binding)
(lambda_parameters (identifier) @binding)
(destructured_parameter (identifier) @binding)
(optional_parameter name: (identifier) @binding)
(keyword_parameter name: (identifier) @binding)
(splat_parameter name: (identifier) @binding)
(hash_splat_parameter name: (identifier) @binding)
(block_parameter name: (identifier) @binding)
(assignment left: (identifier) @binding)
(operator_assignment left: (identifier) @binding)
(left_assignment_list (identifier) @binding)
(rest_assignment (identifier) @binding)
(exception_variable (identifier) @binding)
(for pattern: (identifier) @binding)

; References
(identifier) @reference.call
(constant) @reference
(call method: (constant) @reference.call)
(superclass (constant) @reference.inherit)
(superclass (scope_resolution name: (constant) @reference.inherit))
(alias name: (identifier) @ignore)
