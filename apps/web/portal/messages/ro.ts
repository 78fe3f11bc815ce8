import { bookingRo } from './booking-ro.ts'
import type { portalEn } from './en.ts'
import { formsRo } from './forms-ro.ts'
import { meRo } from './me-ro.ts'
import { offerRo } from './offer-ro.ts'
import { progressRo } from './progress-ro.ts'
import { runRo } from './run-ro.ts'
import { visitsRo } from './visits-ro.ts'
import { warningSignsRo } from './warning-signs-ro.ts'

export const portalRo: typeof portalEn = {
  ...bookingRo,
  ...formsRo,
  ...meRo,
  ...offerRo,
  ...visitsRo,
  nav: { today: 'Azi', visits: 'Vizite', forms: 'Formulare', progress: 'Progres', me: 'Eu' },
  today: {
    title: 'Azi',
    sessions: 'Exercițiile dumneavoastră',
    exercises: '{count, plural, one {# exercițiu} few {# exerciții} other {# de exerciții}}',
    lastRun: 'Ultima dată, {completed} din {total} făcute',
    never: 'Încă nefăcute',
    doneToday: 'Făcute azi',
    inProgress: 'Începute, încă neterminate',
    start: 'Începeți',
    resume: 'Continuați',
    forms: 'Formulare de completat',
    fillIn: 'Completați',
    goOn: 'Continuați',
    seeVisit: 'Afișați vizita',
    book: 'Programați o vizită',
    nextVisit: 'Următoarea dumneavoastră vizită',
    with: 'Cu {name}',
    offline: 'Nu aveți conexiune',
    offlineText: 'Aceasta era de făcut la ultima conexiune:',
    nothing: 'Nimic de făcut azi',
    nothingText: 'Când clinica vă dă exerciții, un formular sau o vizită, le găsiți aici.',
  },
  run: runRo,
  warningSigns: warningSignsRo,
  progress: progressRo,
  me: {
    title: 'Eu',
    devices: 'Unde sunteți în cont',
    current: 'Acest dispozitiv',
    seen: 'Folosit ultima dată',
    end: 'Ieșiți din cont',
    endAll: 'Ieșiți din cont peste tot',
    endAllText: 'Ieșiți din cont pe toate dispozitivele, inclusiv pe acesta.',
    ended: 'Dispozitivul a fost scos din cont.',
    apps: { portal: 'Portal', console: 'Consolă', platform: 'Platformă' },
  },
}
