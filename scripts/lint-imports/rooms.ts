// What may import what: one table, without exceptions. The first room that a file matches is the file's room.
//
// Patterns: `*` is part of a name, `**` any depth, `{a,b}` a choice, `{own}` the feature's (else the file's) own folder, `{app}` its own app.
// An import is named by its path from the root, `package:<name>` for our packages, `npm:<name>`, or `node:<name>#<what>`;
// `type:` stands in front when only types are taken.

export interface Room {
  name: string
  files: string[]
  mayImport: string[]
  /** Taken away from `mayImport`. */
  never?: string[]
  /** The rest of the sentence "<name> …" in the message about a broken rule. */
  rule: string
}

/** Packages in one direction: each may import those before it. */
const PACKAGES = [
  'contracts',
  'sdk',
  'availability',
  'config',
  'secrets',
  'run-token',
  'pose',
  'pdf',
  'object-store',
  'outbound',
  'video-host',
  'mail',
  'db',
  'process',
  'http',
  'access',
  'testing',
] as const

const TESTS = ['**/*.test.ts', '**/*.fixtures.ts', '**/*.testing.ts', '**/testing*.ts', '**/test-*.ts', '**/testing/**']

/** Only these may name process.env. */
export const READ_ENVIRONMENT = [
  'apps/*/src/{server,worker}.ts',
  'apps/core/src/entries/{superadmin,audit-verify}.ts',
  'apps/identity/src/token.ts',
  'apps/web/e2e/**',
  'scripts/**',
  'bench/**',
  ...TESTS,
]

/** Decisions that take `now`: the clock and chance are not theirs to ask. */
export const PURE = ['apps/*/src/features/**/*rules.ts']

/** What of Node neither reads nor writes anything. */
const PURE_FUNCTIONS = [
  'node:crypto#{createHash,createHmac,timingSafeEqual}',
  'node:net#{isIP,isIPv4,isIPv6}',
  'node:url#{domainToASCII,domainToUnicode}',
  'node:util#isDeepStrictEqual',
]

const ANYTHING_OUTSIDE = ['npm:**', 'node:**']
const NO_TEST_TOOLS = ['package:testing', ...TESTS]
/** TypeBox costs 18 KB in a browser: of the contracts only types. */
const WEB_PACKAGES = [
  'type:package:contracts',
  'package:contracts/form-file-limits',
  'package:contracts/form-values',
  'package:contracts/placeholder-values',
  'package:pose',
  'package:sdk',
]
/** Pages make forms with `useApiForm`, which knows the routes. */
const MANTINE_FORM = 'npm:@mantine/form'
const FEATURE_INDEX = 'apps/core/src/features/**/index.ts'
const CORE_FLOOR = 'apps/core/src/{feature,services}.ts'

export const ROOMS: readonly Room[] = [
  {
    name: 'scripts and benchmarks',
    files: ['scripts/**', 'bench/**'],
    mayImport: ['**', 'package:*', ...ANYTHING_OUTSIDE],
    rule: 'may import anything.',
  },
  {
    name: 'browser tests',
    files: ['apps/web/e2e/**'],
    mayImport: ['**', 'package:*', ...ANYTHING_OUTSIDE],
    rule: 'may import anything: they run the services.',
  },
  {
    name: 'tests of an app',
    files: TESTS.map((pattern) => `apps/${pattern}`),
    mayImport: ['{app}/**', 'package:*', 'package:db/fixtures', ...ANYTHING_OUTSIDE],
    rule: 'may import their own app and packages, never another app.',
  },
  {
    name: 'tests of a package',
    files: [...TESTS.map((pattern) => `packages/${pattern}`), 'packages/testing/**'],
    mayImport: ['{app}/**', 'package:*', ...ANYTHING_OUTSIDE],
    rule: 'may import their own package and other packages, never an app.',
  },
  {
    name: 'packages/contracts',
    files: ['packages/contracts/**'],
    mayImport: ['packages/contracts/**', 'npm:typebox'],
    rule: 'may import typebox and nothing else: the web imports it too.',
  },
  ...PACKAGES.map((name, index) => ({
    name: `packages/${name}`,
    files: [`packages/${name}/**`],
    mayImport: [
      `packages/${name}/**`,
      ...PACKAGES.slice(0, index).map((before) => `package:${before}`),
      ...ANYTHING_OUTSIDE,
    ],
    rule: `may import packages before it (${PACKAGES.slice(0, index).join(', ')}), never apps.`,
  })),
  {
    name: 'a rules.ts',
    files: PURE,
    mayImport: ['{own}/*rules.ts', 'type:{own}/**', 'package:contracts', 'type:package:**', ...PURE_FUNCTIONS],
    never: ['type:package:db', 'type:package:http', ...NO_TEST_TOOLS],
    rule: 'decides and does nothing else: contracts, types and pure functions only, no I/O, no database, no HTTP.',
  },
  {
    name: 'a queries.ts',
    files: ['apps/*/src/features/**/*queries.ts'],
    mayImport: ['{own}/**', 'npm:kysely', 'package:db', 'package:contracts'],
    never: ['**/*errors.ts', '**/*routes.ts', ...NO_TEST_TOOLS],
    rule: 'may import kysely, database and contract types and its own folder; it knows neither HTTP nor refusals.',
  },
  {
    name: 'an errors.ts',
    files: ['apps/*/src/features/**/*errors.ts'],
    mayImport: ['{own}/**', 'package:http', 'package:contracts', FEATURE_INDEX],
    never: ['**/*queries.ts', '**/*routes.ts', ...NO_TEST_TOOLS],
    rule: 'gives words to refusals: @tendon/http, contracts and its own folder only.',
  },
  {
    name: 'a routes.ts',
    files: ['apps/core/src/features/**/*routes.ts'],
    mayImport: ['{own}/**', 'apps/core/src/platform/**', CORE_FLOOR, FEATURE_INDEX, 'package:*', ...ANYTHING_OUTSIDE],
    never: ['npm:kysely', 'npm:pg', ...NO_TEST_TOOLS],
    rule: 'may import its own folder, platform, packages and other features’ index.ts; SQL belongs in queries.ts.',
  },
  {
    name: 'a feature',
    files: ['apps/core/src/features/**'],
    mayImport: ['{own}/**', 'apps/core/src/platform/**', CORE_FLOOR, FEATURE_INDEX, 'package:*', ...ANYTHING_OUTSIDE],
    never: ['npm:pg', ...NO_TEST_TOOLS],
    rule: 'may import its own folder, platform, packages and other features’ index.ts, never another feature’s insides.',
  },
  {
    name: 'core/platform',
    files: ['apps/core/src/platform/**'],
    mayImport: ['apps/core/src/platform/**', 'type:apps/core/src/services.ts', 'package:*', ...ANYTHING_OUTSIDE],
    never: NO_TEST_TOOLS,
    rule: 'may import packages and the type of the services, never a feature or what is built upon it.',
  },
  {
    name: 'the form of the web',
    files: ['apps/web/ui/form/use-api-form.ts'],
    mayImport: ['apps/web/ui/**', ...WEB_PACKAGES, 'npm:**'],
    rule: 'is the only file that imports @mantine/form.',
  },
  {
    name: 'apps/web/ui',
    files: ['apps/web/ui/**'],
    mayImport: ['apps/web/ui/**', 'type:apps/web/*/messages/**', ...WEB_PACKAGES, 'npm:**'],
    never: [...NO_TEST_TOOLS, MANTINE_FORM],
    rule: 'may import itself, the sdk, pose and types of contracts, no app.',
  },
  ...['console', 'portal', 'platform'].map((name) => ({
    name: `apps/web/${name}/parts`,
    files: [`apps/web/${name}/parts/**`],
    mayImport: [`apps/web/${name}/**`, 'apps/web/ui/**', ...WEB_PACKAGES, 'npm:**'],
    never: [`apps/web/${name}/routes/**`, `apps/web/${name}/*.tsx`, ...NO_TEST_TOOLS],
    rule: 'are what pages are made of: they may import each other and ui, never a route, its page or the frame.',
  })),
  ...['console', 'portal', 'platform'].map((name) => ({
    name: `apps/web/${name}`,
    files: [`apps/web/${name}/**`],
    mayImport: [`apps/web/${name}/**`, 'apps/web/ui/**', ...WEB_PACKAGES, 'npm:**'],
    never: [...NO_TEST_TOOLS, MANTINE_FORM],
    rule: 'may import itself, ui, the sdk, pose and types of contracts, no other app and nothing of the server.',
  })),
  {
    name: 'the build of the web',
    files: ['apps/web/*.ts', 'apps/web/build/**'],
    mayImport: ['apps/web/*.ts', 'apps/web/build/**', ...ANYTHING_OUTSIDE],
    never: NO_TEST_TOOLS,
    rule: 'may import nothing of the apps.',
  },
  {
    name: 'the entry of a service',
    files: ['apps/*/src/{server,worker}.ts'],
    mayImport: ['{app}/**', 'package:process', 'package:process/compiled'],
    rule: 'may import only its own app and the package process; the compile cache comes first.',
  },
  {
    name: 'an app',
    files: ['apps/**'],
    mayImport: ['{app}/**', 'package:*', ...ANYTHING_OUTSIDE],
    never: NO_TEST_TOOLS,
    rule: 'may import itself and packages, never another app or test tools.',
  },
]
