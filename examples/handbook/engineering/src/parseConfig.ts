/**
 * Reads the configuration of a Roost gateway (`roost.env`) and of a Heron
 * (`heron.toml`, flat keys only) and reports every problem it finds.
 *
 * Used by the console of Estuary and, compiled to WebAssembly, by
 * `lqctl roost check-config`. The device raises E-4120 when `problems`
 * contains an error, and keeps the configuration that was active before.
 */

export type Severity = "error" | "warning";

export interface Problem {
  line: number;
  severity: Severity;
  code: "E-4120" | "E-4121" | "W-0001";
  message: string;
}

export interface ParseResult {
  values: Record<string, string | number | boolean>;
  problems: Problem[];
}

interface Rule {
  kind: "int" | "bool" | "text";
  min?: number;
  max?: number;
  since?: number;
}

/** Names that the current firmware understands. Keep in step with gateway-configuration.rst. */
const RULES: Record<string, Rule> = {
  ESTUARY_URL: { kind: "text" },
  UPLINK_TIMEOUT_MS: { kind: "int", min: 1000, max: 120000 },
  MAX_RETRY_COUNT: { kind: "int", min: 0, max: 20 },
  RETRY_BACKOFF_MS: { kind: "int", min: 100, max: 60000 },
  ALARM_RETRY_CEILING_S: { kind: "int", min: 10, max: 600, since: 4 },
  SPOOL_LIMIT_MB: { kind: "int", min: 128, max: 65536 },
  MQTT_ENABLE: { kind: "bool" },
  LOG_LEVEL: { kind: "text" },
};

/** Edit distance, for "did you mean". Names are short, so the simple algorithm is enough. */
function distance(a: string, b: string): number {
  const row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0];
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j];
      row[j] = a[i - 1] === b[j - 1] ? diagonal : 1 + Math.min(diagonal, above, row[j - 1]);
      diagonal = above;
    }
  }
  return row[b.length];
}

function nearest(name: string): string | undefined {
  const ranked = Object.keys(RULES)
    .map((known) => [distance(name, known), known] as const)
    .sort((x, y) => x[0] - y[0]);
  return ranked[0][0] <= 3 ? ranked[0][1] : undefined;
}

export function parseConfig(text: string, gatewayMajor = 4): ParseResult {
  const result: ParseResult = { values: {}, problems: [] };
  const report = (line: number, severity: Severity, code: Problem["code"], message: string) =>
    result.problems.push({ line, severity, code, message });

  text.split(/\r?\n/).forEach((raw, index) => {
    const line = index + 1;
    const content = raw.replace(/#.*$/, "").trim();
    if (content === "") return;

    const split = content.indexOf("=");
    if (split < 1) {
      report(line, "error", "E-4120", "expected NAME=value");
      return;
    }
    const name = content.slice(0, split).trim();
    const value = content.slice(split + 1).trim().replace(/^"(.*)"$/, "$1");
    const rule = RULES[name];
    if (!rule) {
      const guess = nearest(name);
      report(line, "error", "E-4120", `unknown name ${name}` + (guess ? `; did you mean ${guess}?` : ""));
      return;
    }
    if (rule.since !== undefined && rule.since > gatewayMajor) {
      report(line, "error", "E-4121", `${name} needs Roost ${rule.since}.0 or later`);
      return;
    }
    if (name in result.values) report(line, "warning", "W-0001", `${name} is set twice; the last one wins`);

    if (rule.kind === "int") {
      const number = Number(value);
      if (!Number.isInteger(number) || number < (rule.min ?? -Infinity) || number > (rule.max ?? Infinity)) {
        report(line, "error", "E-4120", `${name} must be a whole number from ${rule.min} to ${rule.max}`);
        return;
      }
      result.values[name] = number;
    } else if (rule.kind === "bool") {
      if (value !== "true" && value !== "false") {
        report(line, "error", "E-4120", `${name} must be true or false`);
        return;
      }
      result.values[name] = value === "true";
    } else {
      result.values[name] = value;
    }
  });
  return result;
}
