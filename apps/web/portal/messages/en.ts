export const portalEn = {
  nav: { today: 'Today', plan: 'Progress', visits: 'Visits', forms: 'Forms', me: 'Me' },
  today: { title: 'Today' },
}
