import type { consoleEn } from './en.ts'

export const consoleRo: typeof consoleEn = {
  nav: { today: 'Azi', patients: 'Pacienți' },
  today: { title: 'Azi' },
}
