; Definitions
(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.struct
(enum_item name: (type_identifier) @name) @definition.enum
(enum_variant name: (identifier) @name) @definition.constant
(trait_item name: (type_identifier) @name) @definition.trait
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(mod_item name: (identifier) @name body: (_)) @definition.module
(mod_item name: (identifier) @name !body) @definition.module
(macro_definition name: (identifier) @name) @definition.macro
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(field_declaration name: (field_identifier) @name) @definition.field
(impl_item type: (_) @name) @scope

; Imports
(use_declaration) @import.tree
(extern_crate_declaration name: (identifier) @import.name) @import
(extern_crate_declaration alias: (identifier) @import.alias)

; Names bound inside functions
[(function_item) (closure_expression) (block) (for_expression) (match_arm) (if_expression)
 (while_expression) (impl_item) (trait_item) (struct_item) (enum_item)
 (function_signature_item)] @local.scope
(parameter pattern: (identifier) @binding)
(closure_parameters (identifier) @binding)
(let_declaration pattern: (identifier) @binding)
(for_expression pattern: (identifier) @binding)
(tuple_pattern (identifier) @binding)
(slice_pattern (identifier) @binding)
(reference_pattern (identifier) @binding)
(ref_pattern (identifier) @binding)
(mut_pattern (identifier) @binding)
(captured_pattern . (identifier) @binding)
(tuple_struct_pattern type: (_) (identifier) @binding)
(shorthand_field_identifier) @binding
(field_pattern pattern: (identifier) @binding)
(type_parameter name: (type_identifier) @binding)
(const_parameter name: (identifier) @binding)
(lifetime (identifier) @ignore)
(label (identifier) @ignore)
(attribute (identifier) @ignore)

; References
(identifier) @reference
(field_identifier) @reference.member
(type_identifier) @reference.type
(impl_item trait: (type_identifier) @reference.inherit)
(impl_item trait: (generic_type type: (type_identifier) @reference.inherit))
(impl_item trait: (scoped_type_identifier name: (type_identifier) @reference.inherit))
(trait_item bounds: (trait_bounds (type_identifier) @reference.inherit))
(trait_item bounds: (trait_bounds (scoped_type_identifier name: (type_identifier) @reference.inherit)))
(generic_function function: (identifier) @reference.call)
(generic_function function: (field_expression field: (field_identifier) @reference.call))
(generic_function function: (scoped_identifier name: (identifier) @reference.call))
(struct_expression name: (type_identifier) @reference.type)
