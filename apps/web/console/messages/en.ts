export const consoleEn = {
  nav: { today: 'Today', patients: 'Patients' },
  today: { title: 'Today' },
}
