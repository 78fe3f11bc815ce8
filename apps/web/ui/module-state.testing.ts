import { parseSync, Visitor } from 'rolldown/utils'

const COLLECTIONS = new Set(['Array', 'Map', 'Set', 'WeakMap', 'WeakSet'])
const CONNECTIONS = new Set(['BroadcastChannel', 'EventSource', 'QueryClient', 'WebSocket', 'Worker'])
const MUTATORS = new Set([
  'add',
  'clear',
  'delete',
  'pop',
  'push',
  'reverse',
  'set',
  'shift',
  'sort',
  'splice',
  'unshift',
])
const OWN = /^(\.|#|@tendon\/)/

type Program = ReturnType<typeof parseSync>['program']
type Declared = Extract<Program['body'][number], { type: 'VariableDeclaration' }>
type Expression = Parameters<NonNullable<ConstructorParameters<typeof Visitor>[0]['CallExpression']>>[0]['callee']

/** The names of a module that hold something that changes while the page is open. */
export function stateIn(file: string, source: string): string[] {
  const { program } = parseSync(file, source)
  const own = ownNames(program)
  const state = new Set<string>()
  const collections = new Set(own)
  for (const { kind, declarations } of declared(program))
    for (const { id, init } of declarations) {
      if (id.type !== 'Identifier') continue
      const made = init?.type === 'NewExpression' || init?.type === 'CallExpression' ? nameOf(init.callee) : ''
      if (kind !== 'const' || CONNECTIONS.has(made)) state.add(id.name)
      else if (init?.type === 'CallExpression' && own.has(made) && made.startsWith('create')) state.add(id.name)
      else if (init?.type === 'ObjectExpression' || init?.type === 'ArrayExpression' || COLLECTIONS.has(made))
        collections.add(id.name)
    }
  const write = (target: Expression) => {
    if (target.type !== 'MemberExpression') return
    const name = nameOf(target.object)
    if (collections.has(name)) state.add(name)
  }
  new Visitor({
    AssignmentExpression: ({ left }) => left.type === 'MemberExpression' && write(left),
    UpdateExpression: ({ argument }) => argument.type === 'MemberExpression' && write(argument),
    UnaryExpression: ({ operator, argument }) => operator === 'delete' && write(argument),
    CallExpression: ({ callee }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (MUTATORS.has(callee.property.name)) write(callee)
    },
  }).visit(program)
  return [...state]
}

const nameOf = (expression: Expression): string => (expression.type === 'Identifier' ? expression.name : '')

const declared = ({ body }: Program): Declared[] =>
  body.flatMap((statement) => {
    const one = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    return one?.type === 'VariableDeclaration' && one.declare !== true ? [one] : []
  })

/** What the module takes from our own modules, and its own functions. */
const ownNames = ({ body }: Program): Set<string> =>
  new Set(
    body.flatMap((statement) => {
      const one = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (one?.type === 'FunctionDeclaration') return one.id ? [one.id.name] : []
      if (statement.type !== 'ImportDeclaration' || !OWN.test(statement.source.value)) return []
      return statement.specifiers.map(({ local }) => local.name)
    }),
  )
