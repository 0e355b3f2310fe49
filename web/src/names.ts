// Metrics in words: `natural_com_x_error_rms_m` is "natural CoM x error RMS", its unit stands in a column of its own.

const words: Record<string, string> = {
  com: "CoM", cop: "CoP", zmp: "ZMP", rms: "RMS", cad: "CAD", p95: "95th percentile", p50: "median", p99: "99th percentile",
  pd: "PD", nan: "NaN", imu: "IMU",
};
// The unit at the end of a name, perhaps before a statistic (src/aplomb/report/unit.cpp).
const unit = new RegExp("_(kg_m2_per_s|rad_per_s[23]?|m_per_s2?|n_s_per_m|n_per_m|per_s|kg_m2|n_s|nm|n|kg|mm|m|rad|deg|us|ms|s|hz|w|j)"
  + "(?=$|_(?:p10|p50|p90|p95|p99|min|max|mean|std)$)");

export function inWords(name: string, hasUnit: boolean): string {
  const stem = hasUnit ? name.replace(unit, "") : name;
  return stem.split("_").map((word) => words[word] ?? word).join(" ");
}
