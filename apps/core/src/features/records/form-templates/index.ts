export { optionProblems } from './condition-rules.ts'
export { formTemplateOutdated, invalidForm } from './errors.ts'
export { findLinked, withLink } from './links.ts'
export { findUsableVersion, listUsableTemplates } from './queries.ts'
