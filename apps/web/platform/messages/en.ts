export const platformEn = {
  nav: { organizations: 'Organizations' },
  organizations: { title: 'Organizations' },
}
