// The content security policy asks for Trusted Types. Nothing of ours writes HTML; a library that tries gets a refusal.

interface TrustedTypes {
  createPolicy(name: string, rules: Record<string, (text: string) => string>): unknown
}

export function installTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createHTML(html) {
      if (html.includes('<')) throw new TypeError('HTML is not written by script')
      return html
    },
    createScriptURL(url) {
      if (new URL(url, location.href).origin !== location.origin) throw new TypeError('a script of another origin')
      return url
    },
  })
}
