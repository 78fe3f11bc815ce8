// Every page of the console that opens from a menu. Side bar, settings, palette, the guard of its route and the role walk
// read this list; a page without a right to it is not offered.
import { missingOf, type Needs } from '#ui/session/permission.ts'

export interface ConsolePage extends Needs {
  /** The path of its route. */
  path: string
  /** Where the side bar shows it; `settings` pages are in the menu of the settings. */
  group: 'day' | 'care' | 'clinic' | 'settings'
  /** Of `PAGE_ICONS`. */
  icon: string
  /** Typed one after the other, they open it. */
  keys?: readonly [string, string]
  words: { en: string; ro: string }
}

const SETTINGS = ['organizations.update_settings', 'organizations.update', 'services.manage', 'calendars.manage']

export const pages = [
  {
    path: '/$clinic',
    anyOf: [],
    group: 'day',
    icon: 'home',
    keys: ['g', 'h'],
    words: { en: 'Today', ro: 'Azi' },
  },
  {
    path: '/$clinic/calendar',
    anyOf: ['appointments.view_org'],
    group: 'day',
    icon: 'calendar',
    keys: ['g', 'c'],
    words: { en: 'Calendar', ro: 'Calendar' },
  },
  {
    path: '/$clinic/patients',
    anyOf: ['patients.view_org'],
    group: 'day',
    icon: 'users',
    keys: ['g', 'p'],
    words: { en: 'Patients', ro: 'Pacienți' },
  },
  {
    path: '/$clinic/session-runs',
    anyOf: ['session_runs.view_org'],
    allOf: ['patients.view_org'],
    group: 'day',
    icon: 'activity',
    keys: ['g', 's'],
    words: { en: 'Sessions', ro: 'Ședințe' },
  },
  {
    path: '/$clinic/settings/exercises',
    anyOf: ['exercises.manage_org'],
    allOf: ['exercises.view_published'],
    group: 'care',
    icon: 'stretching',
    keys: ['g', 'e'],
    words: { en: 'Exercises', ro: 'Exerciții' },
  },
  {
    path: '/$clinic/settings',
    anyOf: SETTINGS,
    group: 'clinic',
    icon: 'settings',
    words: { en: 'Settings', ro: 'Setări' },
  },
  {
    path: '/$clinic/settings/services',
    anyOf: ['services.view_org'],
    group: 'settings',
    icon: 'briefcase',
    words: { en: 'Services', ro: 'Servicii' },
  },
  {
    path: '/$clinic/settings/hours',
    anyOf: ['calendars.view_org'],
    allOf: ['specialists.view_org'],
    group: 'settings',
    icon: 'clock',
    words: { en: 'Working hours', ro: 'Program de lucru' },
  },
  {
    path: '/$clinic/privacy-notice',
    anyOf: ['organizations.manage_privacy_notice'],
    group: 'settings',
    icon: 'notice',
    words: { en: 'Privacy notice', ro: 'Notă de informare' },
  },
] as const satisfies readonly ConsolePage[]

export type PagePath = (typeof pages)[number]['path']

/** What the guard of the page's route needs. */
export const needsOf = (path: PagePath): Needs => pages.find((page) => page.path === path) ?? { anyOf: [] }

export const pagesFor = (may: (permission: string) => boolean) =>
  pages.filter((page) => missingOf(page, may) === undefined)
