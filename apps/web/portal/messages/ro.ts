import { bookingRo } from './booking-ro.ts'
import type { portalEn } from './en.ts'
import { formsRo } from './forms-ro.ts'
import { meRo } from './me-ro.ts'
import { progressRo } from './progress-ro.ts'
import { runRo } from './run-ro.ts'
import { visitsRo } from './visits-ro.ts'

export const portalRo: typeof portalEn = {
  ...bookingRo,
  ...formsRo,
  ...meRo,
  ...visitsRo,
  nav: { today: 'Azi', visits: 'Vizite', forms: 'Formulare', progress: 'Progres', me: 'Eu' },
  today: {
    title: 'Azi',
    sessions: 'Exercițiile tale',
    exercises: '{count, plural, one {# exercițiu} few {# exerciții} other {# de exerciții}}',
    lastRun: 'Ultima dată, {completed} din {total} făcute',
    never: 'Încă nefăcute',
    doneToday: 'Făcute azi',
    inProgress: 'Începute, încă neterminate',
    start: 'Începe',
    resume: 'Continuă',
    forms: 'Formulare de completat',
    fillIn: 'Completează',
    goOn: 'Continuă',
    seeVisit: 'Arată vizita',
    book: 'Programează o vizită',
    nextVisit: 'Următoarea ta vizită',
    with: 'Cu {name}',
    offline: 'Ești fără conexiune',
    offlineText: 'Aceasta era de făcut la ultima conexiune:',
    nothing: 'Nimic de făcut azi',
    nothingText: 'Când clinica îți dă exerciții, un formular sau o vizită, le găsești aici.',
  },
  run: runRo,
  progress: progressRo,
  me: {
    title: 'Eu',
    devices: 'Unde ești în cont',
    current: 'Acest dispozitiv',
    seen: 'Folosit ultima dată',
    end: 'Ieși din cont',
    endAll: 'Ieși din cont peste tot',
    endAllText: 'Ieși din cont pe toate dispozitivele, inclusiv pe acesta.',
    ended: 'Dispozitivul a fost scos din cont.',
    apps: { portal: 'Portal', console: 'Consolă', platform: 'Platformă' },
  },
}
