// Stores the state of the page in its address. In: rule, grid, selection. Out: a hash that restores them. Browsers never send
// the part after `#` to a server.

import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";

export interface Shared {
  /** The rule text. */
  rule: string;
  grid: string;
  board: string | null;
  /** The selected rule; if absent, all rules of the text. */
  only?: string | null;
  /** The highlighted match. */
  chosen?: number | null;
  tab?: string;
}

const SIGN = "#1.";
/** Longest hash that the page writes; longer ones are ignored. */
const LONGEST = 400_000;
const MOST = 2_000_000;

export function pack(shared: Shared): string {
  const bytes = deflateSync(strToU8(JSON.stringify(shared)), { level: 9 });
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return SIGN + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Decodes a hash; null if it is malformed. */
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
