import { createHash } from 'node:crypto'
import type { Account } from './accounts.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #16302f; --quiet: #5a6f6e; --line: #d3dedd; --paper: #fff; --ground: #eef4f3; --accent: #0b6e69; --bad: #a3261f }
@media (prefers-color-scheme: dark) { :root { --ink: #e6efee; --quiet: #9db2b0; --line: #35494a; --paper: #1a2728; --ground: #111b1c; --accent: #4fb8b0; --bad: #ff9c94 } }
* { box-sizing: border-box }
body { margin: 0; padding: 2rem 1rem; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 26rem; margin: 0 auto; padding: 1.75rem; background: var(--paper); border: 1px solid var(--line); border-radius: 12px }
h1 { margin: 0; font-size: 1.5rem } h2 { margin: 1.5rem 0 .5rem; font-size: .875rem; color: var(--quiet) }
p { margin: .25rem 0 0; color: var(--quiet) } a { color: var(--accent) } code { overflow-wrap: anywhere }
label { display: block; margin-top: .75rem; font-size: .875rem }
input, button { width: 100%; padding: .625rem .75rem; font: inherit; color: inherit; border: 1px solid var(--line); border-radius: 8px; background: transparent }
button { margin-top: .5rem; text-align: left; cursor: pointer } button:hover { border-color: var(--accent) }
button small { display: block; color: var(--quiet); overflow-wrap: anywhere }
button.main { margin-top: 1rem; text-align: center; font-weight: 600; color: var(--paper); background: var(--accent); border-color: var(--accent) }
button.plain { text-align: center; border-color: transparent; color: var(--quiet) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.bad { color: var(--bad) }
`

/** No scripts, other hosts or framing. `form-action` is omitted: browsers apply it to the redirect back too. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)} · Tendon</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${body}
</main></body>
</html>
`

const accountButton = ({ email, name, role }: Account) =>
  `<button name="email" value="${escapeHtml(email)}">${escapeHtml(name)}${role ? ` · ${escapeHtml(role)}` : ''}<small>${escapeHtml(email)}</small></button>`

function accountGroups(accounts: readonly Account[]) {
  const groups = Map.groupBy(accounts, (account) => account.group ?? 'Accounts')
  return [...groups]
    .map(([group, members]) => `<h2>${escapeHtml(group)}</h2>\n${members.map(accountButton).join('\n')}`)
    .join('\n')
}

export interface SignInPage {
  accounts: readonly Account[]
  email?: string
  name?: string
  problem?: string
}

export const signInPage = ({ accounts, email = '', name = '', problem }: SignInPage) =>
  page(
    'Sign in',
    `<p>For local use: choose a person, no password needed.</p>
<form method="post">
${accountGroups(accounts)}
</form>
<form method="post">
<h2>Someone else</h2>
${problem ? `<p class="bad" id="problem" role="alert">${escapeHtml(problem)}</p>` : ''}
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="email" required value="${escapeHtml(email)}"${problem ? ' aria-invalid="true" aria-describedby="problem"' : ''}>
<label for="name">Name (optional)</label>
<input id="name" name="name" autocomplete="name" maxlength="200" value="${escapeHtml(name)}">
<button class="main">Sign in</button>
</form>
<form method="post"><button class="plain" name="cancel" value="yes">Cancel</button></form>`,
  )

/** `form` is the provider's markup: an empty form named op.logoutForm that carries its token. */
export const signOutPage = (form: string) =>
  page(
    'Sign out?',
    `<p>You are signed in to Tendon on this computer.</p>
${form}
<button class="main" form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button class="plain" form="op.logoutForm">Stay signed in</button>`,
  )

export const noticePage = (title: string, text: string, links: readonly string[] = []) =>
  page(
    title,
    `<p>${escapeHtml(text)}</p>
${links.map((link) => `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`).join('\n')}`,
  )
