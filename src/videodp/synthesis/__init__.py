"""The second mechanism: nothing real of any element is published (DESIGN: synthesis).

tracks --summarise--> Summary (noisy histograms) --populate--> Population --paint--> private video
                      epsilon is spent here      only the noisy summary is read from here on
"""
