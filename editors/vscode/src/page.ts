// Writes the result of a command as an HTML page without scripts.

/** The server's response to a command. */
export interface Outcome {
  /** One-line summary. */
  summary: string;
  /** True if everything passed. */
  good: boolean;
  /** The parts of the page, from top to bottom. */
  pictures: Picture[];
}

/** A part of the page. */
export interface Picture {
  title: string;
  /** Lines of text below the title. */
  text: string;
  /** A drawing below the text. */
  svg?: string | null;
}

export function outcomePage({ summary, pictures }: Outcome): string {
  const figures = pictures.map(({ title, text, svg }) =>
    `<figure><figcaption><b>${escaped(title)}</b><pre>${escaped(text)}</pre></figcaption>${image(svg)}</figure>`);
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<style>
  body { font-family: var(--vscode-font-family); max-width: 48rem; }
  figure { margin: 0 0 2rem; }
  pre { white-space: pre-wrap; font-family: var(--vscode-editor-font-family); }
  img { width: 100%; max-width: 32rem; background: white; }
</style></head><body><h3>${escaped(summary)}</h3>${figures.join('\n')}</body></html>`;
}

/** Embeds a drawing as an image, because scripts in an image do not run. */
function image(svg?: string | null): string {
  return svg ? `<img alt="" src="data:image/svg+xml;base64,${Buffer.from(svg, 'utf8').toString('base64')}">` : '';
}

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, character => entities[character] ?? character);
}
