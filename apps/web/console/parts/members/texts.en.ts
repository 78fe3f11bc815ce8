export const en = {
  colleague: {
    title: 'Invite a colleague',
    email: 'E-mail',
    name: 'Name',
    role: 'Role',
    roleHelp: 'The role decides what this person may see and do.',
    roles: { admin: 'Admin', specialist: 'Specialist', customer_support: 'Front desk' },
    done: 'The invitation is on its way.',
    action: 'Invite',
  },
}
