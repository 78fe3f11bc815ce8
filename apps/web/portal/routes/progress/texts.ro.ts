import type { en } from './texts.en.ts'

export const ro: typeof en = {
  progress: {
    title: 'Progres',
    empty: 'Încă nu este nimic de arătat',
    emptyText: 'După prima ședință vedeți aici cum evoluați.',
    toToday: 'Afișați ce aveți de făcut azi',
    asTable: 'Afișați ca tabel',
    asChart: 'Afișați ca grafice',
    caption: 'Ultimele dumneavoastră săptămâni. O săptămână poartă data zilei de luni.',
    week: 'Săptămâna din',
    sessions: { title: 'Ședințe', text: 'Ședințe în care ați terminat cel puțin un exercițiu.', short: 'Ședințe' },
    completed: {
      title: 'Exerciții terminate',
      text: 'Câte dintre exercițiile acestor ședințe ați terminat, în procente.',
      short: 'Terminate',
    },
    pain: { title: 'Cea mai mare durere', text: 'De la 0, fără durere, la 10.', short: 'Durere' },
    measured: { title: 'Repetări numărate de cameră', text: 'Așa cum le-a numărat camera.', short: 'De cameră' },
    tapped: { title: 'Repetări numărate de dumneavoastră', text: 'Numărate prin atingere.', short: 'De dvs.' },
  },
}
