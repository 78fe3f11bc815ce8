import type { en } from './texts.en.ts'

export const ro: typeof en = {
  colleague: {
    title: 'Invitați un coleg',
    email: 'E-mail',
    name: 'Nume',
    role: 'Rol',
    roleHelp: 'Rolul hotărăște ce poate vedea și face această persoană.',
    roles: { admin: 'Administrator', specialist: 'Specialist', customer_support: 'Recepție' },
    done: 'Invitația a fost trimisă.',
    action: 'Invitați',
  },
}
