; Definitions
(create_table (object_reference schema: (identifier)? @owner name: (identifier) @name)) @definition.struct
(create_view (object_reference schema: (identifier)? @owner name: (identifier) @name)) @definition.struct
(create_materialized_view (object_reference schema: (identifier)? @owner name: (identifier) @name)) @definition.struct
(create_function (object_reference schema: (identifier)? @owner name: (identifier) @name)) @definition.function
(create_type (object_reference schema: (identifier)? @owner name: (identifier) @name)) @definition.type
(create_trigger (keyword_trigger) . (object_reference name: (identifier) @name)) @definition.function
(create_index column: (identifier) @name) @definition.variable
; A function that the grammar cannot read to its end: two patterns, for one misses some.
(ERROR (keyword_create) . (keyword_function) . (object_reference
  schema: (identifier)? @owner name: (identifier) @name) @definition.function)
(ERROR (keyword_replace) . (keyword_function) . (object_reference
  schema: (identifier)? @owner name: (identifier) @name) @definition.function)
(ERROR (keyword_create) . (keyword_function) . (identifier) @name @definition.function)
(create_schema (identifier) @name) @definition.namespace
(create_sequence (object_reference schema: (identifier)? @owner name: (identifier) @name)) @definition.variable
(column_definition name: [(identifier) (literal)] @name) @definition.field

; References
(object_reference name: (identifier) @reference)
(invocation (object_reference name: (identifier) @reference.call))
(field name: (identifier) @reference)
(object_reference schema: (identifier) @reference)
