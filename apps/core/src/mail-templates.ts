import type { AnyMailTemplate } from '@tendon/mail'
import { features } from './features.ts'

/** The templates of all features, by name. */
export const mailTemplates: ReadonlyMap<string, AnyMailTemplate> = new Map(
  features.flatMap(({ mails }) => mails).map((template) => [template.name, template]),
)
