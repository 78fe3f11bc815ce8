/**
 * Runs in the page: hashes the chosen file and compares it with the document that was issued. The file stays in the browser:
 * the content security policy of the page allows no request.
 */
export const VERIFY_SCRIPT = `
const field = document.querySelector('#file')
const result = document.querySelector('#result')
const { sha256, size } = field.dataset
let latest = 0
const show = (state) => {
  result.dataset.state = state
  result.textContent = result.getAttribute('data-' + state)
  document.querySelector('#unchecked').hidden = state === 'same' || state === 'different'
}
const hexOf = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
async function check(file) {
  const turn = ++latest
  show('checking')
  let state = 'different'
  try {
    if (file.size === Number(size)) {
      const hash = hexOf(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
      if (hash === sha256) state = 'same'
    }
  } catch {
    state = 'unreadable'
  }
  if (turn === latest) show(state)
}
if (globalThis.crypto?.subtle) {
  document.querySelector('#checker').hidden = false
  document.querySelector('#by-hand').open = false
} else document.querySelector('#unable').hidden = false
function take(files) {
  if (files.length === 1) return check(files[0])
  latest += 1
  show(files.length === 0 ? 'waiting' : 'several')
}
field.addEventListener('change', () => take(field.files))
for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'])
  document.addEventListener(name, (event) => {
    event.preventDefault()
    document.body.classList.toggle('over', name === 'dragenter' || name === 'dragover')
    if (name !== 'drop') return
    const { files } = event.dataTransfer
    if (files.length === 1) field.files = files
    else field.value = ''
    take(files)
  })
`
