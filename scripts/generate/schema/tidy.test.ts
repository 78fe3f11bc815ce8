import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { tidy, tidyFunction } from './tidy.ts'

describe('SQL as the catalogue prints it', () => {
  for (const [printed, wanted] of [
    ['PRIMARY KEY (id)', 'primary key (id)'],
    ["CHECK (crud = ANY (ARRAY['C'::text, 'IN'::text]))", "check (crud = any (array['C', 'IN']))"],
    [
      'using (organization_id = ( SELECT current_app_org_id() AS current_app_org_id))',
      'using (organization_id = (select current_app_org_id()))',
    ],
    ['CREATE INDEX a_idx ON public.a USING btree (b)', 'create index a_idx on a using btree (b)'],
    ['at timestamp with time zone', 'at timestamptz'],
    ["default 'it''s A TEST'::text", "default 'it''s A TEST'"],
  ] as const) {
    test(`${printed} becomes ${wanted}`, () => assert.equal(tidy(printed), wanted))
  }

  test('SQL as the catalogue prints it leaves the body of a function as it was written', () => {
    const printed =
      "CREATE OR REPLACE FUNCTION public.f()\n RETURNS text\n LANGUAGE sql\nAS $function$SELECT 'A'::text$function$\n"
    assert.equal(
      tidyFunction(printed),
      "create or replace function f()\n  returns text\n  language sql\n  as $$SELECT 'A'::text$$",
    )
  })
})
