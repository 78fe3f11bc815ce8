import { bookingEn } from './booking-en.ts'
import { formsEn } from './forms-en.ts'
import { meEn } from './me-en.ts'
import { offerEn } from './offer-en.ts'
import { progressEn } from './progress-en.ts'
import { runEn } from './run-en.ts'
import { visitsEn } from './visits-en.ts'
import { warningSignsEn } from './warning-signs-en.ts'

export const portalEn = {
  ...bookingEn,
  ...formsEn,
  ...meEn,
  ...offerEn,
  ...visitsEn,
  nav: { today: 'Today', visits: 'Visits', forms: 'Forms', progress: 'Progress', me: 'Me' },
  today: {
    title: 'Today',
    sessions: 'Your exercises',
    exercises: '{count, plural, one {# exercise} other {# exercises}}',
    lastRun: 'Last time, {completed} of {total} done',
    never: 'Not done yet',
    doneToday: 'Done today',
    inProgress: 'Started, not finished yet',
    start: 'Start',
    resume: 'Continue',
    forms: 'Forms to fill in',
    fillIn: 'Fill in',
    goOn: 'Continue',
    seeVisit: 'Show the visit',
    book: 'Book a visit',
    nextVisit: 'Your next visit',
    with: 'With {name}',
    offline: 'You are offline',
    offlineText: 'This is what there was to do at the last connection:',
    nothing: 'Nothing to do today',
    nothingText: 'When your clinic gives you exercises, a form or a visit, they appear here.',
  },
  run: runEn,
  warningSigns: warningSignsEn,
  progress: progressEn,
  me: {
    title: 'Me',
    devices: 'Where you are signed in',
    current: 'This device',
    seen: 'Last used',
    end: 'Sign out',
    endAll: 'Sign out everywhere',
    endAllText: 'You are signed out on all devices, including this one.',
    ended: 'The device was signed out.',
    apps: { portal: 'Portal', console: 'Console', platform: 'Platform' },
  },
}
