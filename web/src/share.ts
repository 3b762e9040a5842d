// The whole state in the address. In: what is on the page. Out: a hash that opens it again. Nothing of it leaves the browser: what
// follows a # is sent to no server.

import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";

export interface Shared {
  /** The rule text. */
  rule: string;
  grid: string;
  board: string | null;
  /** The rule that is looked at; all of the text without it. */
  only?: string | null;
  /** The match that is lit. */
  chosen?: number | null;
  tab?: string;
}

const SIGN = "#1.";
/** More than this is no link of ours. */
const LONGEST = 400_000;
const MOST = 2_000_000;

export function pack(shared: Shared): string {
  const bytes = deflateSync(strToU8(JSON.stringify(shared)), { level: 9 });
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return SIGN + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What a hash says; null where it says nothing that can be read. */
export function unpack(hash: string): Shared | null {
  if (!hash.startsWith(SIGN) || hash.length > LONGEST) return null;
  try {
    const text = atob(hash.slice(SIGN.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const out = inflateSync(bytes, { out: new Uint8Array(MOST) });
    const read: unknown = JSON.parse(strFromU8(out));
    return isShared(read) ? read : null;
  } catch {
    return null;
  }
}

function isShared(read: unknown): read is Shared {
  if (typeof read !== "object" || read === null) return false;
  const { rule, grid, board, only, chosen, tab } = read as Record<string, unknown>;
  const maybe = (value: unknown, type: string) => value === undefined || value === null || typeof value === type;
  return (
    typeof rule === "string" && typeof grid === "string" && maybe(board, "string") && maybe(only, "string") &&
    maybe(chosen, "number") && maybe(tab, "string")
  );
}
