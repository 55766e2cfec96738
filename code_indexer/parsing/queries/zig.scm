; Definitions
(Decl (FnProto function: (IDENTIFIER) @name)) @definition.function
(Decl (VarDecl "const" variable_type_function: (IDENTIFIER) @name)) @definition.constant
(Decl (VarDecl "var" variable_type_function: (IDENTIFIER) @name)) @definition.variable
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType "struct")))))) @definition.struct
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType "union")))))) @definition.struct
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType "enum")))))) @definition.enum
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr (ErrorSetDecl))))) @definition.enum
(ContainerField field_member: (IDENTIFIER) @name) @definition.field
(ContainerField . (ErrorUnionExpr (SuffixExpr variable_type_function: (IDENTIFIER) @name))) @definition.constant
(ErrorSetDecl field_constant: (IDENTIFIER) @name @definition.constant)
(ContainerDecl) @scope

; Imports
(VarDecl variable_type_function: (IDENTIFIER) @import.alias
  (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @keyword
    . (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @import.module))) .))) @import.keyword
(VarDecl variable_type_function: (IDENTIFIER) @import.alias
  (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @keyword
    . (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @import.module)))
    . (FieldOrFnCall field_access: (IDENTIFIER) @import.name) .))) @import.keyword

; Names bound inside functions
[(Decl (FnProto)) (Block) (ForStatement) (WhileStatement) (IfStatement) (BinaryExpr)] @local.scope
(ParamDecl parameter: (IDENTIFIER) @binding)
(Statement (VarDecl variable_type_function: (IDENTIFIER) @binding))
(PtrPayload variable: (IDENTIFIER) @binding)
(PtrListPayload variable: (IDENTIFIER) @binding)
(PtrIndexPayload variable: (IDENTIFIER) @binding)
(Payload variable: (IDENTIFIER) @binding)

; References
(IDENTIFIER) @reference
(FieldInit field_member: (IDENTIFIER) @reference.member)
