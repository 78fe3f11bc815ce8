export { optionProblems } from './condition-rules.ts'
export { formTemplateOutdated, invalidForm } from './errors.ts'
export { findLinked, withLink } from './links.ts'
export { findUsableVersion } from './queries.ts'
