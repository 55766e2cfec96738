; inherits: cfamily

; Names bound inside functions
(parameter_list (identifier) @binding)
