import {
  _,
  type Ajv2020,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type KeywordErrorDefinition,
  Name,
  stringify,
} from "ajv/dist/2020.js";
import { Type } from "ajv/dist/compile/util.js";
import { json } from "./json.js";

/**
 * Puts keywords in place of Ajv's own. Its equality trips over fields named `valueOf`, its `multipleOf` rounds, its
 * `unevaluatedProperties` lets fields with names from `Object.prototype` pass, its `unevaluatedItems` counts wrong beside
 * alternatives, and it reports faults inside of alternatives that
 * are not what is wrong. Precompiled code finds the functions that these call under the name `json`.
 */
export function replaceKeywords(ajv: Ajv2020): void {
  const replacements = [
    ...comparing,
    unevaluatedProperties,
    unevaluatedItems,
    withoutInner(ajv, "contains", (_cxt, reset) => reset()),
    withoutInner(ajv, "oneOf", ({ gen, params }, reset) =>
      gen.if(_`${params.passing} !== null`, reset),
    ),
  ];
  for (const definition of replacements) {
    ajv.removeKeyword(String(definition.keyword));
    ajv.addKeyword(definition);
  }
}

/** The name under which the generated code calls one of our functions. */
const call = ({ gen }: KeywordCxt, name: keyof typeof json): Name =>
  gen.scopeValue("func", { ref: json[name], code: _`json.${new Name(name)}` });

const wanted: KeywordErrorDefinition = {
  message: "",
  params: ({ schemaCode }) => _`{wanted: ${schemaCode}}`,
};

/** A keyword that fails where the code is true. */
const failing = (
  keyword: string,
  type: Pick<CodeKeywordDefinition, "type">,
  fails: (cxt: KeywordCxt) => Code,
): CodeKeywordDefinition => ({
  keyword,
  ...type,
  error: wanted,
  code: (cxt) => cxt.fail(fails(cxt)),
});

const comparing: readonly CodeKeywordDefinition[] = [
  failing("const", {}, (cxt) => _`!${call(cxt, "isEqual")}(${cxt.data}, ${cxt.schemaCode})`),
  failing("enum", {}, (cxt) => _`!${call(cxt, "isOneOf")}(${cxt.data}, ${cxt.schemaCode})`),
  failing(
    "multipleOf",
    { type: "number" },
    (cxt) => _`!${call(cxt, "isMultiple")}(${cxt.data}, ${cxt.schemaCode})`,
  ),
  failing(
    "minLength",
    { type: "string" },
    (cxt) => _`${call(cxt, "lengthOf")}(${cxt.data}) < ${cxt.schemaCode}`,
  ),
  failing(
    "maxLength",
    { type: "string" },
    (cxt) => _`${call(cxt, "lengthOf")}(${cxt.data}) > ${cxt.schemaCode}`,
  ),
  failing(
    "uniqueItems",
    { type: "array" },
    (cxt) => _`${cxt.schemaCode} && !${call(cxt, "areUnique")}(${cxt.data})`,
  ),
];

const unevaluatedProperties: CodeKeywordDefinition = {
  keyword: "unevaluatedProperties",
  type: "object",
  schemaType: ["boolean", "object"],
  trackErrors: true,
  error: {
    message: "",
    params: ({ params }) => _`{unevaluatedProperty: ${params.unevaluatedProperty}}`,
  },
  code(cxt) {
    const { gen, schema, data, errsCount, it } = cxt;
    const { props } = it;
    it.props = true;
    if (props === true || schema === true) return;
    gen.forIn("key", data, (key) =>
      gen.if(isUnevaluated(cxt, props, key), () => {
        if (schema === false) {
          cxt.setParams({ unevaluatedProperty: key });
          cxt.error();
        } else {
          const part = { keyword: cxt.keyword, dataProp: key, dataPropType: Type.Str };
          cxt.subschema(part, gen.name("valid"));
        }
      }),
    );
    cxt.ok(_`${errsCount} === errors`);
  },
};

const unevaluatedItems: CodeKeywordDefinition = {
  keyword: "unevaluatedItems",
  type: "array",
  schemaType: ["boolean", "object"],
  trackErrors: true,
  error: { message: "" },
  code(cxt) {
    const { gen, schema, data, errsCount, it } = cxt;
    const { items = 0 } = it;
    it.items = true;
    if (items === true || schema === true) return;
    const end = gen.const("end", _`${data}.length`);
    const start = gen.const("start", _`${items} === true ? ${end} : ${items} || 0`);
    if (schema === false) {
      cxt.fail(_`${end} > ${start}`);
      return;
    }
    gen.forRange("i", start, end, (index) => {
      const part = { keyword: cxt.keyword, dataProp: index, dataPropType: Type.Num };
      cxt.subschema(part, gen.name("valid"));
    });
    cxt.ok(_`${errsCount} === errors`);
  },
};

/** `props` are the fields that were evaluated: known while the code is generated, or only when it runs. */
function isUnevaluated(cxt: KeywordCxt, props: object | undefined, key: Name): Code {
  if (props === undefined) return _`true`;
  const has = call(cxt, "has");
  if (!(props instanceof Name)) return _`!${has}(${stringify(props)}, ${key})`;
  return _`${props} !== true && !(${props} && ${has}(${props}, ${key}))`;
}

/** Ajv's own keyword, that drops the faults found inside of it where `when` says so. */
function withoutInner(
  ajv: Ajv2020,
  keyword: string,
  when: (cxt: KeywordCxt, reset: () => void) => void,
): CodeKeywordDefinition {
  const own = ajv.getKeyword(keyword);
  if (typeof own !== "object" || !("code" in own)) throw new Error(`Ajv has no ${keyword}.`);
  return {
    ...own,
    code(cxt, ruleType) {
      const error = cxt.error.bind(cxt);
      cxt.error = (...options) => {
        when(cxt, () => cxt.reset());
        error(...options);
      };
      own.code(cxt, ruleType);
    },
  };
}
