// Encodes the state of the page as the hash of an address, and decodes it. Browsers do not send the hash to a server.

import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";

export interface SharedState {
  /** The rule text. */
  rule: string;
  grid: string;
  board: string | null;
  /** The id of the only rule that is searched; null or absent for all rules of the text. */
  only?: string | null;
  /** Index of the highlighted match. */
  chosen?: number | null;
  tab?: string;
}

/** Begins every hash. The number is the version of the encoding. */
const PREFIX = "#1.";
/** Maximum length of a hash that is decoded. */
const MAX_HASH_LENGTH = 400_000;
/** Maximum size of a decoded state, in bytes. Without a limit, a malicious hash could grow a thousandfold when it is decompressed. */
const MAX_STATE_BYTES = 2_000_000;

/** Returns the hash: the state as JSON, compressed, in the URL-safe alphabet of Base64. */
export function encode(state: SharedState): string {
  const bytes = deflateSync(strToU8(JSON.stringify(state)), { level: 9 });
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return PREFIX + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Decodes a hash. Returns null if the hash is malformed. */
export function decode(hash: string): SharedState | null {
  if (!hash.startsWith(PREFIX) || hash.length > MAX_HASH_LENGTH) return null;
  try {
    const text = atob(hash.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const json = strFromU8(inflateSync(bytes, { out: new Uint8Array(MAX_STATE_BYTES) }));
    const state: unknown = JSON.parse(json);
    return isSharedState(state) ? state : null;
  } catch {
    return null;
  }
}

function isSharedState(value: unknown): value is SharedState {
  if (typeof value !== "object" || value === null) return false;
  const { rule, grid, board, only, chosen, tab } = value as Record<string, unknown>;
  const isOptional = (field: unknown, type: string) => field === undefined || field === null || typeof field === type;
  return (
    typeof rule === "string" && typeof grid === "string" && isOptional(board, "string") && isOptional(only, "string") &&
    isOptional(chosen, "number") && isOptional(tab, "string")
  );
}
