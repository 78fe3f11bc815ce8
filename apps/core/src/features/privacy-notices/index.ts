/** Whether the clinic has published its privacy notice: until then nobody can be onboarded there. */
export { hasPublishedNotice as isNoticePublished } from './queries.ts'
