export { type OpenApiDocument, type OpenApiOptions, openApiDocument } from './document.ts'
export { exampleOf, type JsonSchema } from './example.ts'
export { accessInWords, methodsOf, operationIdOf, pathOf, tagOf, titleOf } from './naming.ts'
export { refusalsOf, SHARED_REFUSALS, type SharedRefusal } from './route-refusals.ts'
