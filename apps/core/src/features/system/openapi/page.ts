// The reference page: Scalar, served from here alone. Everything of it that would call another host is off, and the
// policy holds should one of these switches ever be renamed.

export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'", // Scalar and its editor write style elements of their own
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const SCALAR = {
  sources: [
    { title: 'Core API', slug: 'core', url: 'docs/core.json', default: true },
    { title: 'Composer', slug: 'composer', url: 'docs/composer.json' },
    { title: 'Telemetry', slug: 'telemetry', url: 'docs/telemetry.json' },
  ],
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideModels: true,
  persistAuth: false,
  operationTitleSource: 'summary',
  orderSchemaPropertiesBy: 'preserve',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

export const referencePage = (scriptVersion: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tendon API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>This page needs JavaScript. The same in plain JSON: <a href="docs/core.json">core API</a>, <a href="docs/composer.json">composer</a>, <a href="docs/telemetry.json">telemetry</a>.</noscript>
    <div id="api-reference" data-configuration="${JSON.stringify(SCALAR).replaceAll('"', '&quot;')}"></div>
    <script src="docs/reference.js?v=${scriptVersion}"></script>
  </body>
</html>
`
