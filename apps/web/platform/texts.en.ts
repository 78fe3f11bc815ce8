export const en = {
  nav: { organizations: 'Organizations' },
}
