import type { progressEn } from './progress-en.ts'

export const progressRo: typeof progressEn = {
  title: 'Progres',
  empty: 'Încă nu este nimic de arătat',
  emptyText: 'După prima ședință vezi aici cum evoluezi.',
  toToday: 'Arată ce ai de făcut azi',
  asTable: 'Arată ca tabel',
  asChart: 'Arată ca grafice',
  caption: 'Ultimele tale săptămâni. O săptămână poartă data zilei de luni.',
  week: 'Săptămâna din',
  sessions: { title: 'Ședințe', text: 'Câte ședințe ai făcut în fiecare săptămână.', short: 'Ședințe' },
  completed: { title: 'Exerciții terminate', text: 'Din exercițiile acestor ședințe.', short: 'Terminate' },
  pain: { title: 'Cea mai mare durere', text: 'De la 0, fără durere, la 10.', short: 'Durere' },
  repetitions: { title: 'Repetări', text: 'Așa cum le-a numărat camera.', short: 'Repetări' },
}
